import type { ControlRouteOf } from '@emu/control-client';
import type { ControlRoute, ServiceHandle } from '@emu/core/service';
import { rotateDue } from './rotation.ts';
import type { SecretsState } from './state.ts';

/** Rotates the secrets that are due, and responds after their rotations have ended. */
const tick: ControlRouteOf<'POST /_emulator/secretsmanager/rotation-scheduler/tick', ServiceHandle<SecretsState>> = {
  method: 'POST',
  path: '/_emulator/secretsmanager/rotation-scheduler/tick',
  async handle(_request, service) {
    const rotatedSecrets: string[] = [];
    for (const { state } of service.states())
      for (const secret of [...state.secrets.values()])
        if (await rotateDue(state, secret)) rotatedSecrets.push(secret.arn);
    return { json: { rotatedSecrets } };
  },
};

/** Control routes for the rotation schedule. */
export const control: readonly ControlRoute<SecretsState>[] = [tick];
