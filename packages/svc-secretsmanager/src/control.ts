import type { DeclareRoute } from '@emu/control-client';
import { type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import { rotateDue } from './rotation.ts';
import type { SecretsState } from './state.ts';

const route: DeclareRoute<ServiceHandle<SecretsState>, ControlRoute<SecretsState>> = controlRoute;

/** Rotates the secrets that are due, and responds after their rotations have ended. */
const tick = route('POST /_emulator/secretsmanager/rotation-scheduler/tick', async (_request, service) => {
  const rotatedSecrets: string[] = [];
  for (const { state } of service.states())
    for (const secret of [...state.secrets.values()])
      if (await rotateDue(state, secret)) rotatedSecrets.push(secret.arn);
  return { json: { rotatedSecrets } };
});

/** Control routes for the rotation schedule. */
export const control: readonly ControlRoute<SecretsState>[] = [tick];
