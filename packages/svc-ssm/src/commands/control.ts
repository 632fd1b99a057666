import type { DeclareRoute, SsmCommandRecord, SsmCommandStatusChange } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import type { SsmState } from '../state.ts';
import type { Command, InvocationChange } from './commands.ts';

const route: DeclareRoute<ServiceHandle<SsmState>, ControlRoute<SsmState>> = controlRoute;

const STATUSES: ReadonlySet<string> = new Set([
  'Pending',
  'InProgress',
  'Delayed',
  'Success',
  'Cancelled',
  'TimedOut',
  'Failed',
  'Cancelling',
]);

/**
 * Returns a command by id, from any account and region.
 * @throws ControlError 404
 */
function find(id: string | undefined, service: ServiceHandle<SsmState>): { state: SsmState; command: Command } {
  for (const { state } of service.states()) {
    const command = state.commands.get(id ?? '');
    if (command) return { state, command };
  }
  throw new ControlError(404, 'NotFound', `there is no command ${id}`);
}

const shown = ({ id, status, invocations }: Command): SsmCommandRecord => ({
  commandId: id,
  status,
  invocations: invocations.map((invocation) => ({
    instanceId: invocation.instanceId,
    status: invocation.status,
    statusDetails: invocation.statusDetails,
    responseCode: invocation.plugins[0]?.responseCode ?? -1,
  })),
});

/**
 * Updates invocations.
 * @returns the updated command
 */
function change(
  id: string | undefined,
  service: ServiceHandle<SsmState>,
  instanceId: string | undefined,
  what: InvocationChange,
): SsmCommandRecord {
  const { state, command } = find(id, service);
  const chosen = command.invocations.filter((one) => instanceId === undefined || one.instanceId === instanceId);
  if (instanceId !== undefined && chosen.length === 0)
    throw new ControlError(404, 'NotFound', `the command ${id} was not sent to ${instanceId}`);
  for (const invocation of chosen) state.commands.change(command.id, invocation.instanceId, what);
  return shown(state.commands.get(command.id)!);
}

const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';

/** Changes the status of a command's invocations. */
const setStatus = route('POST /_emulator/ssm/commands/{command_id}/status', ({ params, body }, service) => {
  const { status, statusDetails, instanceId, responseCode, standardOutputContent, standardErrorContent } = (body ??
    {}) as Partial<SsmCommandStatusChange>;
  if (status === undefined || !STATUSES.has(status))
    throw new ControlError(400, 'InvalidRequest', `status is one of ${[...STATUSES].join(', ')}`);
  if (![statusDetails, instanceId, standardOutputContent, standardErrorContent].every(isText))
    throw new ControlError(400, 'InvalidRequest', 'instanceId, statusDetails and the contents are text');
  if (responseCode !== undefined && !Number.isInteger(responseCode))
    throw new ControlError(400, 'InvalidRequest', 'responseCode is a whole number');
  const what = { status, statusDetails, responseCode, stdout: standardOutputContent, stderr: standardErrorContent };
  return { json: change(params.command_id, service, instanceId, what) };
});

/** Marks all invocations of a command as failed. */
const fail = route('POST /_emulator/ssm/commands/{command_id}/fail', ({ params }, service) => ({
  json: change(params.command_id, service, undefined, { status: 'Failed' }),
}));

/** Control routes that set the outcome of commands. */
export const commandControl: readonly ControlRoute<SsmState>[] = [setStatus, fail];
