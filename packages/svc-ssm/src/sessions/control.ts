import type { DeclareRoute, SsmInjectSessionRequest, SsmSession } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, rootOf, type ServiceHandle } from '@emu/core/service';
import type { SsmState } from '../state.ts';

const route: DeclareRoute<ServiceHandle<SsmState>, ControlRoute<SsmState>> = controlRoute;

const STATUSES: ReadonlySet<string> = new Set([
  'Connected',
  'Connecting',
  'Disconnected',
  'Terminated',
  'Terminating',
  'Failed',
]);

/**
 * Parses the time in a control request.
 * @throws ControlError 400
 */
function timeMember(name: string, value: unknown, otherwise: number | undefined): number | undefined {
  if (value === undefined) return otherwise;
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new ControlError(400, 'InvalidRequest', `${name} is not a timestamp`);
  return time;
}

/** Creates a session as if it had been started. */
const inject = route('POST /_emulator/ssm/sessions/inject', ({ body }, service) => {
  const given = (body ?? {}) as Partial<SsmInjectSessionRequest>;
  const { accountId = service.settings.accountId, region = service.settings.region, status = 'Connected' } = given;
  if (typeof given.target !== 'string' || given.target === '')
    throw new ControlError(400, 'InvalidRequest', 'target, the id of a managed instance, is required');
  if (!STATUSES.has(status))
    throw new ControlError(400, 'InvalidRequest', `status is one of ${[...STATUSES].join(', ')}`);
  for (const name of ['sessionId', 'owner', 'documentName', 'reason', 'accountId', 'region'] as const)
    if (given[name] !== undefined && typeof given[name] !== 'string')
      throw new ControlError(400, 'InvalidRequest', `${name} is text`);
  const now = Math.floor(service.clock.now());
  const startedAt = timeMember('startDate', given.startDate, now)!;
  const past = status === 'Terminated' || status === 'Failed';
  const endedAt = timeMember('endDate', given.endDate, past ? now : undefined);
  const {
    sessionId = `root-${service.ids.hex(17)}`,
    owner = rootOf(accountId, region).arn,
    target,
    documentName,
    reason,
  } = given;
  service.state(accountId, region).sessions.put({
    id: sessionId,
    target,
    status,
    owner,
    ...(documentName !== undefined && { documentName }),
    ...(reason !== undefined && { reason }),
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
  });
  const session: SsmSession = {
    accountId,
    region,
    sessionId,
    target,
    status,
    owner,
    ...(documentName !== undefined && { documentName }),
    ...(reason !== undefined && { reason }),
    startDate: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { endDate: new Date(endedAt).toISOString() }),
  };
  return { json: session };
});

/** Control routes for sessions. */
export const sessionControl: readonly ControlRoute<SsmState>[] = [inject];
