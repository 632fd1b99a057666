import { AreaControl } from './area.ts';

/** Control routes of Secrets Manager. */
export class SecretsManagerControl extends AreaControl {
  /**
   * Rotates the secrets whose rotation is due. `POST /_emulator/secretsmanager/rotation-scheduler/tick`
   * @returns ARNs of the secrets whose rotation started
   */
  rotationTick(): Promise<{ rotatedSecrets: string[] }> {
    return this.transport.json('POST /_emulator/secretsmanager/rotation-scheduler/tick');
  }
}
