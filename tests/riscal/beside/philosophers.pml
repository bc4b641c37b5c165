/* Each philosopher's statements are written out, so that each can be fair by itself. */
bool fork[4] = true;
byte phase[4];

active proctype philosophers()
{
end:
    do
    :: d_step { phase[0] == 0 && fork[0] -> phase[0] = 1; fork[0] = false }
    :: d_step { phase[1] == 0 && fork[1] -> phase[1] = 1; fork[1] = false }
    :: d_step { phase[2] == 0 && fork[2] -> phase[2] = 1; fork[2] = false }
    :: d_step { phase[3] == 0 && fork[3] -> phase[3] = 1; fork[3] = false }
    :: sfair0: d_step { phase[0] == 1 && fork[1] -> phase[0] = 2; fork[1] = false }
    :: sfair1: d_step { phase[1] == 1 && fork[2] -> phase[1] = 2; fork[2] = false }
    :: sfair2: d_step { phase[2] == 1 && fork[3] -> phase[2] = 2; fork[3] = false }
    :: sfair3: d_step { phase[3] == 1 && fork[0] -> phase[3] = 2; fork[0] = false }
    :: d_step { phase[0] == 2 -> phase[0] = 0; fork[0] = true; fork[1] = true }
    :: d_step { phase[1] == 2 -> phase[1] = 0; fork[1] = true; fork[2] = true }
    :: d_step { phase[2] == 2 -> phase[2] = 0; fork[2] = true; fork[3] = true }
    :: d_step { phase[3] == 2 -> phase[3] = 0; fork[3] = true; fork[0] = true }
    od
}
ltl invariant1 { [] (!(phase[0] == 2 && phase[1] == 2) && !(phase[1] == 2 && phase[2] == 2) && !(phase[2] == 2 && phase[3] == 2) && !(phase[3] == 2 && phase[0] == 2)) }
ltl invariant2 { [] (fork[0] + fork[1] + fork[2] + fork[3] == 4 - (phase[0] + phase[1] + phase[2] + phase[3])) }
ltl ltl1 { [] (phase[0] == 1 -> <> (phase[0] == 2)) }
