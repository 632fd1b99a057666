import type { ResourceProvider } from '@emu/core/service';
import type { CreateResourceOutput, InputOf, OutputOf } from '@emu/service-types/cloudcontrol';
import type { CloudcontrolContext } from '../context.ts';
import { concurrentOperation, resourceNotFound, unsupported } from '../errors.ts';
import { type NamedType, principalOf, providerOf } from '../lookup.ts';
import type { RequestRecord } from '../records.ts';
import { checkUpdatable, identifierIn, identifierOf, modelOf, objectIn } from '../types/models.ts';
import { patched } from '../types/patch.ts';
import { checkModel } from '../types/schema.ts';
import { describe } from './requests.ts';

/** @see https://docs.aws.amazon.com/cloudcontrolapi/latest/APIReference/API_CreateResource.html */
export async function CreateResource(
  input: InputOf<'CreateResource'>,
  ctx: CloudcontrolContext,
): Promise<OutputOf<'CreateResource'>> {
  const provider = await providerOf(input, ctx);
  const desired = objectIn(input.DesiredState, 'DesiredState');
  checkModel(provider, desired);
  const identifier = identifierOf(desired, provider.facts.primaryIdentifier);
  return begin(input, 'CREATE', { desired, ...(identifier !== undefined && { identifier }) }, ctx);
}

/** @see https://docs.aws.amazon.com/cloudcontrolapi/latest/APIReference/API_UpdateResource.html */
export async function UpdateResource(
  input: InputOf<'UpdateResource'>,
  ctx: CloudcontrolContext,
): Promise<OutputOf<'UpdateResource'>> {
  const provider = await providerOf(input, ctx);
  if (!provider.update) throw unsupported(input.TypeName, 'UPDATE');
  const identifier = identifierIn(input.Identifier, provider.facts);
  const applied = ctx.state.applied.of(input.TypeName, identifier);
  const current = await provider.read(identifier, readContext(input, provider, ctx), applied);
  if (!current) throw resourceNotFound(input.TypeName, ctx.ids.uuid());
  const model = modelOf(current, provider.facts);
  const wanted = patched(model, input.PatchDocument);
  checkUpdatable(provider, model, wanted);
  const isOwn = ([name]: [string, unknown]) =>
    Object.hasOwn(provider.facts.properties, name) || !Object.hasOwn(provider.facts.attributes, name);
  const desired = Object.fromEntries(Object.entries(wanted).filter(isOwn));
  checkModel(provider, desired);
  return begin(input, 'UPDATE', { desired, identifier }, ctx);
}

/** @see https://docs.aws.amazon.com/cloudcontrolapi/latest/APIReference/API_DeleteResource.html */
export async function DeleteResource(
  input: InputOf<'DeleteResource'>,
  ctx: CloudcontrolContext,
): Promise<OutputOf<'DeleteResource'>> {
  const provider = await providerOf(input, ctx);
  return begin(input, 'DELETE', { identifier: identifierIn(input.Identifier, provider.facts) }, ctx);
}

/** Returns the context to read a resource for a request. */
export function readContext(input: NamedType, provider: ResourceProvider, ctx: CloudcontrolContext) {
  const step = {
    token: ctx.requestId,
    random: '',
    principal: principalOf(input, ctx),
    endpoint: ctx.endpoint,
  };
  return ctx.state.runner.context(step, provider, ctx.signal);
}

/** Stores and starts a request. @throws AwsError `ClientTokenConflictException`, `ConcurrentOperationException` */
function begin(
  input: NamedType & { readonly ClientToken?: string | undefined },
  operation: RequestRecord['operation'],
  about: Pick<RequestRecord, 'desired' | 'identifier'>,
  ctx: CloudcontrolContext,
): CreateResourceOutput {
  const { TypeName: typeName, ClientToken: clientToken } = input;
  const { requests, runner } = ctx.state;
  // Any reuse of a client token is rejected, even by an identical request.
  requests.tokens.find(operation, input);
  const other = about.identifier === undefined ? undefined : requests.changing(typeName, about.identifier);
  if (other) throw concurrentOperation(other.token);
  const request = requests.add({
    token: ctx.ids.uuid(),
    ...(clientToken !== undefined && { clientToken }),
    typeName,
    operation,
    status: 'IN_PROGRESS',
    ...about,
    random: ctx.ids.chars(12, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'),
    principal: principalOf(input, ctx),
    endpoint: ctx.endpoint,
    startedAt: ctx.clock.now(),
  });
  runner.start(request.token);
  return { ProgressEvent: describe(request) };
}
