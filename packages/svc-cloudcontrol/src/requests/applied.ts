import { type Collection, copyOf, type StateScope } from '@emu/core/service';
import { type AppliedRecord, appliedCollection } from '../records.ts';

type Properties = Record<string, unknown>;

/**
 * Applied properties of resources with ambiguous identifiers, such as policies that are part of another resource. Their
 * providers find them by their properties.
 */
export class Applied {
  private readonly records: Collection<AppliedRecord>;

  constructor(scope: StateScope) {
    this.records = scope.collection(appliedCollection);
  }

  /** Returns the last applied properties of a resource; undefined if its identifier is sufficient. */
  of(typeName: string, identifier: string): Properties | undefined {
    const known = this.records.get(`${typeName} ${identifier}`);
    return known && (copyOf(known.properties) as Properties);
  }

  /** Stores the applied properties of a resource. */
  put(typeName: string, identifier: string, properties: Properties): void {
    this.records.put(`${typeName} ${identifier}`, { properties });
  }

  /** Removes a deleted resource. */
  discard(typeName: string, identifier: string): void {
    if (this.records.has(`${typeName} ${identifier}`)) this.records.delete(`${typeName} ${identifier}`);
  }
}
