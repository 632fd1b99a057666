import type { DeclareRoute } from '@emu/control-client';
import { type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import { commandControl } from './commands/control.ts';
import { sessionControl } from './sessions/control.ts';
import type { SsmState } from './state.ts';

const route: DeclareRoute<ServiceHandle<SsmState>, ControlRoute<SsmState>> = controlRoute;

/** Lists executed parameter policy actions, oldest first. */
const list = route('GET /_emulator/ssm/parameter-policy-events', (_request, service) => {
  const events = [...service.states()].flatMap(({ state }) => state.policyClock.events.list());
  return { json: { events: events.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1)) } };
});

/** Deletes the list. */
const clear = route('DELETE /_emulator/ssm/parameter-policy-events', (_request, service) => {
  let clearedEvents = 0;
  for (const { state } of service.states()) {
    clearedEvents += state.policyClock.events.size;
    state.policyClock.events.clear();
  }
  return { json: { clearedEvents } };
});

/** Control routes for parameter policy events, commands and sessions. */
export const control: readonly ControlRoute<SsmState>[] = [list, clear, ...commandControl, ...sessionControl];
