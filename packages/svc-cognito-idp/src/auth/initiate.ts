import type { AuthFlowType, ExplicitAuthFlowsType } from '@emu/service-types/cognito-idp';
import { invalidParameter } from '../errors.ts';
import { checkSecretHash } from '../pools/secret-hash.ts';
import type { Client } from '../records.ts';
import { findUser } from '../users/find.ts';
import { withSignUp } from './after-sign-up.ts';
import type { Auth, AuthAnswer } from './auth.ts';
import { withChoice } from './choice.ts';
import { withCustom } from './custom.ts';
import { withPassword, withSrp } from './password.ts';
import { refresh } from './refresh.ts';
import { refuseBlocked } from './risks.ts';

/** Default flows of clients. */
const DEFAULT_FLOWS: readonly ExplicitAuthFlowsType[] = [
  'ALLOW_REFRESH_TOKEN_AUTH',
  'ALLOW_USER_SRP_AUTH',
  'ALLOW_CUSTOM_AUTH',
];

/** Client settings that allow a flow, in the new and the old form. */
const ALLOWED_BY: Readonly<Record<AuthFlowType, readonly ExplicitAuthFlowsType[]>> = {
  USER_SRP_AUTH: ['ALLOW_USER_SRP_AUTH'],
  REFRESH_TOKEN_AUTH: ['ALLOW_REFRESH_TOKEN_AUTH'],
  REFRESH_TOKEN: ['ALLOW_REFRESH_TOKEN_AUTH'],
  CUSTOM_AUTH: ['ALLOW_CUSTOM_AUTH', 'CUSTOM_AUTH_FLOW_ONLY'],
  ADMIN_NO_SRP_AUTH: ['ALLOW_ADMIN_USER_PASSWORD_AUTH', 'ADMIN_NO_SRP_AUTH'],
  USER_PASSWORD_AUTH: ['ALLOW_USER_PASSWORD_AUTH', 'USER_PASSWORD_AUTH'],
  ADMIN_USER_PASSWORD_AUTH: ['ALLOW_ADMIN_USER_PASSWORD_AUTH', 'ADMIN_NO_SRP_AUTH'],
  USER_AUTH: ['ALLOW_USER_AUTH'],
};
const OF_ADMINISTRATORS: ReadonlySet<AuthFlowType> = new Set(['ADMIN_NO_SRP_AUTH', 'ADMIN_USER_PASSWORD_AUTH']);

/** Whether a client's settings are in the old form, which also allows SRP and refresh tokens. */
const isOld = (flows: readonly ExplicitAuthFlowsType[]): boolean => flows.every((flow) => !flow.startsWith('ALLOW_'));

function allows(client: Client, flow: AuthFlowType): boolean {
  const flows = client.flows?.length ? client.flows : DEFAULT_FLOWS;
  if (ALLOWED_BY[flow].some((one) => flows.includes(one))) return true;
  if (!isOld(flows)) return false;
  if (flow === 'REFRESH_TOKEN' || flow === 'REFRESH_TOKEN_AUTH') return true;
  return (flow === 'USER_SRP_AUTH' || flow === 'CUSTOM_AUTH') && !flows.includes('CUSTOM_AUTH_FLOW_ONLY');
}

/** Returns a required parameter of a flow. */
function required(parameters: Readonly<Record<string, string>>, name: string): string {
  const value = parameters[name];
  if (!value) throw invalidParameter(`Missing required parameter ${name}`);
  return value;
}

/**
 * Starts a sign-in.
 * @param session of a sign-up that was just confirmed
 * @throws AwsError
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_InitiateAuth.html
 */
export async function initiate(
  auth: Auth,
  flow: AuthFlowType,
  parameters: Readonly<Record<string, string>>,
  session?: string,
): Promise<AuthAnswer> {
  const { client, pool, state, admin, origin } = auth;
  if (admin ? flow === 'USER_PASSWORD_AUTH' : OF_ADMINISTRATORS.has(flow))
    throw invalidParameter('Initiate Auth method not supported.');
  if (!allows(client, flow)) {
    if (OF_ADMINISTRATORS.has(flow)) throw invalidParameter('Auth flow not enabled for this client');
    throw invalidParameter(
      flow === 'USER_PASSWORD_AUTH'
        ? 'USER_PASSWORD_AUTH flow not enabled for this client'
        : `${flow} is not enabled for the client.`,
    );
  }
  if (flow === 'REFRESH_TOKEN' || flow === 'REFRESH_TOKEN_AUTH') {
    if (client.rotation?.Feature === 'ENABLED')
      throw invalidParameter('Refresh token rotation is enabled for the client: use GetTokensFromRefreshToken.');
    return refresh(auth, required(parameters, 'REFRESH_TOKEN'), parameters.SECRET_HASH, parameters.DEVICE_KEY);
  }
  const username = required(parameters, 'USERNAME');
  const found = findUser(pool, username, state);
  refuseBlocked(auth, found?.username ?? username, 'SignIn', origin);
  checkSecretHash(client, parameters.SECRET_HASH, found ? [username, found.username] : [username]);
  const withDevice = { ...auth, deviceKey: parameters.DEVICE_KEY };
  switch (flow) {
    case 'USER_SRP_AUTH':
      return withSrp(withDevice, username, required(parameters, 'SRP_A'));
    case 'CUSTOM_AUTH':
      return withCustom(
        withDevice,
        username,
        parameters.CHALLENGE_NAME === 'SRP_A' ? required(parameters, 'SRP_A') : undefined,
      );
    case 'USER_AUTH':
      if (session !== undefined && found) return withSignUp(withDevice, found, session);
      return withChoice(withDevice, username, parameters);
    default:
      return withPassword(withDevice, username, required(parameters, 'PASSWORD'));
  }
}
