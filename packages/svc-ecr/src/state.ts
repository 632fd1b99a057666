import type { Collection, StateScope } from '@emu/core/service';
import { type Repository, type RepositoryRecord, repositoryCollection } from './records.ts';

/** Registry of one account and region. */
export class EcrState {
  readonly accountId: string;
  readonly region: string;
  private readonly repositories: Collection<RepositoryRecord>;

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.repositories = scope.collection(repositoryCollection);
  }

  /** Number of repositories. */
  get size(): number {
    return this.repositories.size;
  }

  repository(name: string): Repository | undefined {
    return this.repositories.get(name);
  }

  /** Returns all repositories, ordered by name. */
  list(): Repository[] {
    return [...this.repositories.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  put(record: RepositoryRecord): Repository {
    return this.repositories.put(record.name, record);
  }

  change(name: string, change: (draft: RepositoryRecord) => void): void {
    this.repositories.update(name, change);
  }

  delete(name: string): void {
    this.repositories.delete(name);
  }
}

/** Creates the state of an account and region. */
export const createState = (scope: StateScope): EcrState => new EcrState(scope);
