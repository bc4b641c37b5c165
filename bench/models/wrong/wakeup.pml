/* A bounded buffer with condition variables: one signal for two kinds of sleepers is not enough. */
byte count, asleep; bit mutex; chan wake = [1] of { bit };
inline enter() { atomic { mutex == 0 -> mutex = 1 } }
inline leave() { mutex = 0 }
inline sleep_on() { asleep++; leave(); wake?_; enter() }
inline notify() { if :: asleep > 0 && nfull(wake) -> asleep--; wake!1 :: else fi }
active [3] proctype producer() {
  do :: enter(); do :: count == 2 -> sleep_on() :: else -> break od; count++; notify(); leave() od
}
active [3] proctype consumer() {
  do :: enter(); do :: count == 0 -> sleep_on() :: else -> break od; count--; notify(); leave() od
}
