import type { DeclareRoute } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute } from '@emu/core/service';
import { type Handle, optionalText, poolOf, text, userOf } from './control-requests.ts';
import { journalOf, type RiskLevel, riskTarget } from './journal.ts';
import type { CognitoState } from './state.ts';

const route: DeclareRoute<Handle, ControlRoute<CognitoState>> = controlRoute;

const authEvents = route('GET /_emulator/cognito/auth-events', (_request, service) => ({
  json: {
    events: journalOf(service)
      .events.list()
      .map(({ at, order: _order, challenges: _, feedback: __, feedbackToken: ___, ...event }) => ({
        ...event,
        timestamp: new Date(at).toISOString(),
      })),
  },
}));

/** Maximum number of compromised passwords. */
const MAX_COMPROMISED = 10_000;

const compromisedPasswords = route('POST /_emulator/cognito/compromised-passwords', (request, service) => {
  const password = text(request, 'password');
  const poolId = optionalText(request, 'userPoolId');
  if (poolId !== undefined) poolOf(poolId, service);
  const { compromised } = journalOf(service);
  const known = compromised.get(poolId ?? '') ?? new Set<string>();
  if (known.size >= MAX_COMPROMISED)
    throw new ControlError(400, 'InvalidRequest', `No more than ${MAX_COMPROMISED} passwords are remembered.`);
  compromised.set(poolId ?? '', known.add(password));
  return { json: { marked: true } };
});

const LEVELS: readonly string[] = ['Low', 'Medium', 'High'] satisfies RiskLevel[];

const riskLevels = route('POST /_emulator/cognito/risk-levels', (request, service) => {
  const poolId = text(request, 'userPoolId');
  const name = optionalText(request, 'username');
  const ipAddress = optionalText(request, 'ipAddress');
  const { riskLevel } = request.body as { riskLevel?: unknown };
  if (riskLevel !== null && !LEVELS.includes(String(riskLevel)))
    throw new ControlError(400, 'InvalidRequest', 'riskLevel must be Low, Medium, High or null.');
  poolOf(poolId, service);
  const target = riskTarget(name === undefined ? '' : userOf(poolId, name, service).user.username, ipAddress);
  const { risks } = journalOf(service);
  const ofPool = risks.get(poolId) ?? new Map<string, RiskLevel>();
  if (riskLevel === null) ofPool.delete(target);
  else ofPool.set(target, riskLevel as RiskLevel);
  risks.set(poolId, ofPool);
  return { json: { riskLevel: riskLevel as RiskLevel | null } };
});

/** Control routes for threat protection. */
export const protectionControl: readonly ControlRoute<CognitoState>[] = [authEvents, compromisedPasswords, riskLevels];
