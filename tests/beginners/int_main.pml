byte x;
int main() { x = 1 }
