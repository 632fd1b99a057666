import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import type { AwsError } from '@emu/wire';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import { hashOfCode } from '../../nodes/activation-code.ts';
import { paging } from '../../paging.ts';
import { tagging } from '../../tags.ts';

const DAY = 86_400_000;
/** Length of an activation code. */
const CODE_LENGTH = 20;
const CODE_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const ROLE = /^[a-zA-Z0-9+=,.@_/-]{1,64}$/;

const invalid = (message: string): AwsError => ssmError('InvalidParameters', message);

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateActivation.html */
export async function CreateActivation(
  input: InputOf<'CreateActivation'>,
  ctx: SsmContext,
): Promise<OutputOf<'CreateActivation'>> {
  const now = Math.floor(ctx.clock.now());
  const { IamRole, ExpirationDate, RegistrationLimit = 1, Description, DefaultInstanceName } = input;
  if (!ROLE.test(IamRole)) throw invalid(`Invalid role name: ${IamRole}.`);
  const expiresAt = ExpirationDate === undefined ? now + DAY : Number(ExpirationDate);
  if (expiresAt <= now) throw invalid('The expiration date of an activation is in the future.');
  if (expiresAt > now + 30 * DAY) throw invalid('The expiration date of an activation is at most 30 days from now.');
  const tags = tagging.merge(undefined, input.Tags);
  await checkRole(IamRole, ctx);
  const id = ctx.ids.uuid();
  const code = ctx.ids.chars(CODE_LENGTH, CODE_CHARACTERS);
  ctx.state.nodes.activations.put(id, {
    id,
    codeHash: hashOfCode(code),
    ...(Description !== undefined && { description: Description }),
    ...(DefaultInstanceName !== undefined && { defaultInstanceName: DefaultInstanceName }),
    role: IamRole,
    limit: RegistrationLimit,
    registered: 0,
    createdAt: now,
    expiresAt,
    tags,
  });
  return { ActivationId: id, ActivationCode: code };
}

/** Rejects an unknown role. */
export async function checkRole(name: string, ctx: SsmContext): Promise<void> {
  try {
    await ctx.call('iam', 'GetRole', { RoleName: name.slice(name.lastIndexOf('/') + 1) });
  } catch (error) {
    if ((error as { code?: string }).code !== 'NoSuchEntity') return;
    ctx.wouldRefuse(
      ssmError('ValidationException', `Not existing role: arn:${ctx.partition}:iam::${ctx.accountId}:role/${name}`),
    );
  }
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeleteActivation.html */
export function DeleteActivation(input: InputOf<'DeleteActivation'>, ctx: SsmContext): OutputOf<'DeleteActivation'> {
  if (!ctx.state.nodes.activations.delete(input.ActivationId))
    throw ssmError('InvalidActivation', `Activation ID ${input.ActivationId} not found.`);
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeActivations.html */
export function DescribeActivations(
  input: InputOf<'DescribeActivations'>,
  ctx: SsmContext,
): OutputOf<'DescribeActivations'> {
  const now = ctx.clock.now();
  const found = [...ctx.state.nodes.activations.values()].filter((activation) =>
    (input.Filters ?? []).every(({ FilterKey, FilterValues = [] }) => {
      switch (FilterKey) {
        case 'ActivationIds':
          return FilterValues.includes(activation.id);
        case 'DefaultInstanceName':
          return FilterValues.includes(activation.defaultInstanceName ?? '');
        case 'IamRole':
          return FilterValues.includes(activation.role);
        default:
          throw ssmError('InvalidFilter', 'A filter of activations needs a key.');
      }
    }),
  );
  const sorted = found.sort((a, b) => (a.id < b.id ? -1 : 1));
  return paging
    .page('DescribeActivations', input, sorted, ({ id }) => id)
    .list((activation) => ({
      ActivationId: activation.id,
      ...(activation.description !== undefined && { Description: activation.description }),
      ...(activation.defaultInstanceName !== undefined && { DefaultInstanceName: activation.defaultInstanceName }),
      IamRole: activation.role,
      RegistrationLimit: activation.limit,
      RegistrationsCount: activation.registered,
      ExpirationDate: new Date(activation.expiresAt),
      Expired: activation.expiresAt <= now,
      CreatedDate: new Date(activation.createdAt),
      Tags: tagging.show(activation.tags),
    }));
}
