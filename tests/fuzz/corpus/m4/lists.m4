define(`rest', `shift($@)')rest(a, `b,c', d) $# len(rest(1,2)) index(`abc', `c') substr(`hello', 1, 2) translit(`abc', `a-c', `x-z')
