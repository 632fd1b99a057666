import type { Collection, StateScope } from '@emu/core/service';
import type { TypeRegistry } from '../registry/registry.ts';
import type { MacroRecord } from '../stacks/records.ts';
import { lambdaHook } from './lambda-hook.ts';
import { type NestedStores, nestedStack } from './nested-stack.ts';
import type { OwnProvider } from './own.ts';
import type { Signals } from './signals.ts';
import { cdkMetadata, macro } from './simple.ts';
import { waitCondition, waitConditionHandle } from './wait-condition.ts';

/** Dependencies of the types that CloudFormation implements itself. */
export interface OwnStores extends NestedStores {
  readonly scope: StateScope;
  readonly registry: TypeRegistry;
  readonly macros: Collection<MacroRecord>;
  readonly signals: Signals;
}

/**
 * Providers of the types that CloudFormation implements itself, except custom resources, which have arbitrary type
 * names.
 */
export const ownProviders = (stores: OwnStores): OwnProvider[] => [
  cdkMetadata,
  lambdaHook(stores.registry, () => stores.scope.clock.now()),
  macro(stores.macros),
  nestedStack(stores),
  waitCondition(stores.signals),
  waitConditionHandle(stores.signals, stores.scope),
];
