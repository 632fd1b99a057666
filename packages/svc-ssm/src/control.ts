import type { ControlRouteOf } from '@emu/control-client';
import type { ControlRoute, ServiceHandle } from '@emu/core';
import { commandControl } from './commands/control.ts';
import { sessionControl } from './sessions/control.ts';
import type { SsmState } from './state.ts';

/** What the policies of parameters have done, oldest first. */
const list: ControlRouteOf<'GET /_emulator/ssm/parameter-policy-events', ServiceHandle<SsmState>> = {
  method: 'GET',
  path: '/_emulator/ssm/parameter-policy-events',
  handle(_request, service) {
    const events = [...service.states()].flatMap(({ state }) => state.policyClock.events.list());
    return { json: { events: events.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1)) } };
  },
};

/** Forgets that. */
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

/** The routes that show what Parameter Store does by itself, and decide what becomes of commands. */
export const control: readonly ControlRoute<SsmState>[] = [list, clear, ...commandControl, ...sessionControl];
