typedef T { long n; byte b } T t; init { t.n = 1 }
