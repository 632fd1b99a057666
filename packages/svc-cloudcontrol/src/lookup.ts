import { type Principal, type ResourceProvider, resourceProviders, roleSessionPrincipal } from '@emu/core';
import type { CloudcontrolContext } from './context.ts';
import { typeNotFound } from './errors.ts';

/** How inputs name a type. */
export interface NamedType {
  readonly TypeName: string;
  readonly TypeVersionId?: string | undefined;
  readonly RoleArn?: string | undefined;
}

/** The provider of the type that an input names. @throws AwsError `TypeNotFoundException`: there are no versions of AWS's types */
export async function providerOf(
  { TypeName, TypeVersionId }: NamedType,
  ctx: CloudcontrolContext,
): Promise<ResourceProvider> {
  const providers = await ctx.capability(resourceProviders);
  const provider = TypeVersionId === undefined ? await providers?.provider(TypeName) : undefined;
  if (!provider) throw typeNotFound(TypeName);
  return provider;
}

/** As whom a request is carried out: the role that it names, or the caller. */
export function principalOf(
  { RoleArn }: NamedType,
  { principal }: CloudcontrolContext,
): Omit<Principal, 'accessKeyId'> {
  if (RoleArn !== undefined) return roleSessionPrincipal(RoleArn, 'AWSCloudControlAPI');
  const { accessKeyId: _, ...caller } = principal;
  return caller;
}
