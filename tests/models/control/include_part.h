/* part of include.pml */
#define START 40
byte n;
inline bump(x)
{
    x++
}
