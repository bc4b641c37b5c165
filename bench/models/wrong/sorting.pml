/* A sorting plant: parts on belts; a gate that switches while a part passes. */
chan belt = [4] of { byte }; chan left = [4] of { byte }; chan right = [4] of { byte };
bit gate; byte in;
active proctype feeder() { do :: in < 60 -> belt!(in % 2); in++ :: in == 60 -> break od }
active proctype switch() { byte p; end: do :: belt?p -> gate = p; if :: gate == 0 -> left!p :: gate == 1 -> right!p fi od }
active proctype saboteur() { do :: gate = 1 - gate :: in == 60 -> break od }
active proctype bin_left() { byte p; end: do :: left?p -> assert(p == 0) od }
active proctype bin_right() { byte p; end: do :: right?p -> assert(p == 1) od }
