import type { Collection, DeepReadonly } from '@emu/core/service';
import type { ContactRecord } from '../records.ts';

type Contact = DeepReadonly<ContactRecord>;

const keyOf = (list: string, address: string): string => `${list}/${address}`;

/** Contacts of all lists, with case-insensitive addresses. */
export class ContactBook {
  private readonly lists = new Map<string, Set<string>>();

  constructor(private readonly records: Collection<ContactRecord>) {
    for (const { list, address } of records.values()) this.index(list, address);
  }

  get(list: string, address: string): Contact | undefined {
    return this.records.get(keyOf(list, address.toLowerCase()));
  }

  put(record: ContactRecord): Contact {
    this.index(record.list, record.address);
    return this.records.put(keyOf(record.list, record.address.toLowerCase()), record);
  }

  delete(list: string, address: string): boolean {
    this.lists.get(list)?.delete(address.toLowerCase());
    return this.records.delete(keyOf(list, address.toLowerCase()));
  }

  /** Returns the contacts of a list, ordered by address. */
  of(list: string): Contact[] {
    const addresses = [...(this.lists.get(list) ?? [])].sort();
    return addresses.flatMap((address) => this.get(list, address) ?? []);
  }

  /** Deletes a list with its contacts. */
  deleteList(list: string): void {
    for (const address of [...(this.lists.get(list) ?? [])]) this.delete(list, address);
    this.lists.delete(list);
  }

  private index(list: string, address: string): void {
    let addresses = this.lists.get(list);
    if (!addresses) {
      addresses = new Set();
      this.lists.set(list, addresses);
    }
    addresses.add(address.toLowerCase());
  }
}
