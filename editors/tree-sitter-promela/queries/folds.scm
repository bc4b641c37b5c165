[(block) (if) (do) (option) (ltl) (typedef) (comment) (c_block)] @fold
