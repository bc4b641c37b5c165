byte turn; hidden int h; show short z; local unsigned u : 5;
D_proctype W(byte id, k; chan c) priority 3 provided (turn == _pid || turn == 0) { xs c; c!id; assert(_nr_pr > 1) }
chan link = [4] of { byte };
init priority 2 { pid w; atomic { w = run W(1, 2, link); run W(2, 3, link) priority 5 }; set_priority(w, 4); printm(w) }
trace { do :: link!1 :: link!2 od }
