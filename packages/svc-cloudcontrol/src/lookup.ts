import {
  notEmulated,
  type Principal,
  publicTypes,
  type ResourceProvider,
  resourceProviders,
  roleSessionPrincipal,
} from '@emu/core/service';
import type { CloudcontrolContext } from './context.ts';
import { typeNotFound } from './errors.ts';

/** Input members that name a type. */
export interface NamedType {
  readonly TypeName: string;
  readonly TypeVersionId?: string | undefined;
  readonly RoleArn?: string | undefined;
}

/**
 * Returns the provider of the type that an input names.
 * @throws AwsError `TypeNotFoundException`, also for versions, because AWS's types have none; `NotImplemented` for a
 * type of AWS that no mounted service provides
 */
export async function providerOf(
  { TypeName, TypeVersionId }: NamedType,
  ctx: CloudcontrolContext,
): Promise<ResourceProvider> {
  const providers = await ctx.capability(resourceProviders);
  const provider = TypeVersionId === undefined ? await providers?.provider(TypeName) : undefined;
  if (provider) return provider;
  const types = await ctx.capability(publicTypes);
  if (TypeVersionId === undefined && (await types?.has(TypeName))) throw notEmulated(`the type ${TypeName}`);
  throw typeNotFound(TypeName);
}

/** Returns the principal for a request: the named role, or the caller. */
export function principalOf(
  { RoleArn }: NamedType,
  { principal }: CloudcontrolContext,
): Omit<Principal, 'accessKeyId'> {
  if (RoleArn !== undefined) return roleSessionPrincipal(RoleArn, 'AWSCloudControlAPI');
  const { accessKeyId: _, ...caller } = principal;
  return caller;
}
