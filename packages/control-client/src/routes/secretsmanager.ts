/** Control routes of Secrets Manager. */
export interface SecretsManagerRoutes {
  'POST /_emulator/secretsmanager/rotation-scheduler/tick': {
    /** ARNs of the secrets whose rotation started. */
    response: { rotatedSecrets: string[] };
  };
}
