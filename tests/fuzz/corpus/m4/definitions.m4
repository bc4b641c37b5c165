pushdef(`a', 1)pushdef(`a', 2)a popdef(`a')a undefine(`a')a ifdef(`N', N, no) defn(`a')
%%
N=5