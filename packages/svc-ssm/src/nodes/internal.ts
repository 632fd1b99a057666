import type { RegisterManagedInstanceRequest, RegisterManagedInstanceResult } from '@emu/service-types/internal/ssm';
import type { SsmContext } from '../context.ts';
import { ssmError } from '../errors.ts';
import { hashOfCode } from './activation-code.ts';

/**
 * Registers a managed instance with the id and code of an activation, as an agent does; AWS's API has no such
 * operation.
 * @throws AwsError `InvalidActivation` for an unknown, expired or exhausted activation
 */
export function RegisterManagedInstance(
  input: RegisterManagedInstanceRequest,
  ctx: SsmContext,
): RegisterManagedInstanceResult {
  const { activations, instances } = ctx.state.nodes;
  const activation = activations.get(input.ActivationId);
  const now = Math.floor(ctx.clock.now());
  if (!activation || activation.codeHash !== hashOfCode(input.ActivationCode))
    throw ssmError(
      'InvalidActivation',
      "The activation isn't valid. The activation might have been deleted, or the ActivationId and the ActivationCode don't match.",
    );
  if (activation.expiresAt <= now || activation.registered >= activation.limit)
    throw ssmError('InvalidActivation', `The activation ${activation.id} has expired, or its limit is reached.`);
  const id = `mi-${ctx.ids.hex(17)}`;
  activations.update(activation.id, (draft) => {
    draft.registered += 1;
  });
  instances.put(id, {
    id,
    activationId: activation.id,
    ...(activation.defaultInstanceName !== undefined && { name: activation.defaultInstanceName }),
    role: activation.role,
    platform: input.PlatformType ?? 'Linux',
    platformName: input.PlatformName ?? 'Amazon Linux',
    platformVersion: input.PlatformVersion ?? '2023',
    agentVersion: input.AgentVersion ?? '3.3.0.0',
    ipAddress: input.IPAddress ?? '127.0.0.1',
    computerName: input.ComputerName ?? 'localhost',
    registeredAt: now,
    tags: { ...activation.tags },
  });
  return { InstanceId: id };
}
