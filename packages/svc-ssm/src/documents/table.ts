import type { Collection } from '@emu/core/service';
import type { DocumentRecord } from './records.ts';
import type { SsmDocument } from './resolve.ts';

/** Documents owned by an account in a region. */
export class DocumentTable {
  constructor(private readonly records: Collection<DocumentRecord>) {}

  /** Number of documents. */
  get size(): number {
    return this.records.size;
  }

  get(name: string): SsmDocument | undefined {
    return this.records.get(name);
  }

  put(record: DocumentRecord): SsmDocument {
    return this.records.put(record.name, record);
  }

  update(name: string, change: (draft: DocumentRecord) => void): SsmDocument {
    return this.records.update(name, change);
  }

  delete(name: string): boolean {
    return this.records.delete(name);
  }

  all(): Iterable<SsmDocument> {
    return this.records.values();
  }
}
