import {
  type ProviderContext,
  partitionOf,
  providerContext,
  type ResourceProvider,
  resourceProviders,
  rootOf,
} from '@emu/core/service';
import type { TestEmulator } from './emulator.ts';

/** A provider of a resource type in a test. */
export interface TestProvider {
  readonly provider: ResourceProvider;
  readonly ctx: ProviderContext;
  /** Identifiers that the provider has reported before the end of its creation. */
  readonly created: string[];
}

/** Place and resource of a provider in a test. */
export interface TestProviderOptions {
  accountId?: string;
  region?: string;
  stack?: string;
  logicalId?: string;
  random?: string;
}

/**
 * Returns the provider of a resource type with a context like a stack's, for tests of providers without CloudFormation.
 * @throws Error if no mounted service has the type
 */
export async function testProvider(
  emulator: TestEmulator,
  typeName: string,
  { accountId, region, stack = 'stack', logicalId = 'Resource', random = 'aBcDeFgHiJkL' }: TestProviderOptions = {},
): Promise<TestProvider> {
  const { kernel } = emulator;
  const account = accountId ?? kernel.settings.accountId;
  const place = region ?? kernel.settings.region;
  const provider = await (await kernel.capability(resourceProviders))?.provider(typeName);
  if (!provider) throw new Error(`no mounted service has the resource type ${typeName}`);
  const created: string[] = [];
  const ctx = providerContext(kernel, {
    accountId: account,
    region: place,
    partition: partitionOf(place),
    principal: rootOf(account, place),
    endpoint: emulator.clientConfig().endpoint,
    clock: kernel.clock,
    signal: new AbortController().signal,
    token: random,
    stack: { id: stack, name: stack, logicalId },
    names: { words: [stack, logicalId], random },
    nameRules: provider.facts.name,
    created: (identifier) => created.push(identifier),
  });
  return { provider, ctx, created };
}
