/*
 * A crossing with two directions, lights and sensors: a controller gives green to a
 * direction where cars wait. First properties in `ltl`: what must never be, and what
 * must come.
 *
 *     gyre traffic_light.pml                      `safe` holds, `no_wait` is violated
 *     gyre traffic_light.pml --fairness weak      both hold
 *
 * Without fairness the controller may simply stop, for no reason: a run that
 * no one means. Weak fairness excludes runs in which a process is enabled for ever but never runs.
 *
 * gyre: expect violated
 * gyre: expect no_wait violated
 * gyre: with --fairness weak expect holds
 */
mtype = { red, green };

mtype light[2] = red;
bool cars[2], walker;

active proctype Controller()
{
    bit side;

    do
    :: cars[side] ->
       light[side] = green;
       cars[side] = false;                      /* they drive */
       light[side] = red;
       side = 1 - side
    :: !cars[side] && cars[1 - side] -> side = 1 - side
    od
}

active proctype Street()
{
    do
    :: !cars[0] -> cars[0] = true
    :: !cars[1] -> cars[1] = true
    :: walker = !walker                         /* a pedestrian comes or goes */
    od
}

ltl safe { [] !(light[0] == green && light[1] == green) }
ltl no_wait { [] (cars[0] -> <> (light[0] == green)) }
