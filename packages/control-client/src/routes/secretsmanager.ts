import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Secrets Manager. */
export const secretsmanager = {
  /**
   * Rotates the secrets whose rotation is due. `POST /_emulator/secretsmanager/rotation-scheduler/tick`
   * @returns ARNs of the secrets whose rotation started
   */
  rotationTick: json<{ rotatedSecrets: string[] }>()('POST /_emulator/secretsmanager/rotation-scheduler/tick'),
};

/** Methods for the control routes of Secrets Manager. */
export interface SecretsManagerControl extends MethodsOf<typeof secretsmanager> {}

/** Control routes of Secrets Manager by name. */
export type SecretsManagerRoutes = RoutesOf<typeof secretsmanager>;
