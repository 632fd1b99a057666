import { type Collection, copyOf, type StateScope } from '@emu/core';
import { type AppliedRecord, appliedCollection } from '../records.ts';

type Properties = Record<string, unknown>;

/**
 * What was applied to resources whose identifiers do not say what they stand for, such as policies that are part of something
 * else: their providers find them by what they were made of.
 */
export class Applied {
  private readonly records: Collection<AppliedRecord>;

  constructor(scope: StateScope) {
    this.records = scope.collection(appliedCollection);
  }

  /** What was applied to a resource last; undefined of one that is found by its identifier. */
  of(typeName: string, identifier: string): Properties | undefined {
    const known = this.records.get(`${typeName} ${identifier}`);
    return known && (copyOf(known.properties) as Properties);
  }

  /** Keeps what was applied to a resource. */
  put(typeName: string, identifier: string, properties: Properties): void {
    this.records.put(`${typeName} ${identifier}`, { properties });
  }

  /** Forgets a resource that is gone. */
  forget(typeName: string, identifier: string): void {
    if (this.records.has(`${typeName} ${identifier}`)) this.records.delete(`${typeName} ${identifier}`);
  }
}
