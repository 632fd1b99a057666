import type { ControlRouteOf } from '@emu/control-client';
import type { ControlRoute, ServiceHandle } from '@emu/core/service';
import { commandControl } from './commands/control.ts';
import { sessionControl } from './sessions/control.ts';
import type { SsmState } from './state.ts';

/** Lists executed parameter policy actions, oldest first. */
const list: ControlRouteOf<'GET /_emulator/ssm/parameter-policy-events', ServiceHandle<SsmState>> = {
  method: 'GET',
  path: '/_emulator/ssm/parameter-policy-events',
  handle(_request, service) {
    const events = [...service.states()].flatMap(({ state }) => state.policyClock.events.list());
    return { json: { events: events.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1)) } };
  },
};

/** Deletes the list. */
const clear: ControlRouteOf<'DELETE /_emulator/ssm/parameter-policy-events', ServiceHandle<SsmState>> = {
  method: 'DELETE',
  path: '/_emulator/ssm/parameter-policy-events',
  handle(_request, service) {
    let clearedEvents = 0;
    for (const { state } of service.states()) {
      clearedEvents += state.policyClock.events.size;
      state.policyClock.events.clear();
    }
    return { json: { clearedEvents } };
  },
};

/** Control routes for parameter policy events, commands and sessions. */
export const control: readonly ControlRoute<SsmState>[] = [list, clear, ...commandControl, ...sessionControl];
