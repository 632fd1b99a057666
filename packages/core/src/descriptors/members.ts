import type { ServiceModel } from '@emu/wire';
import { isBlank } from '../cloudformation/unsupported.ts';
import type { MemberRow } from './specs.ts';
import type { Change, ResourceTypes, ServiceTypes } from './types.ts';

type Values = Record<string, unknown>;
type AnyRow<S extends ServiceTypes, R extends ResourceTypes> = 'read' | MemberRow<S, R, object, unknown>;

/** A member of an operation's input, and its use. */
interface CompiledMember<S extends ServiceTypes, R extends ResourceTypes> {
  readonly name: string;
  /** Member of the record with the value, if any. */
  readonly target: string | undefined;
  readonly row: MemberRow<S, R, object, unknown>;
}

/** Members of a structure of a model. */
export const membersOf = ({ shapes }: ServiceModel, shape: string | undefined): readonly string[] =>
  Object.keys((shape !== undefined && shapes[shape]?.members) || {});

/** The members of an operation's input that are copied into a record, or have rules of their own. */
export class InputMembers<S extends ServiceTypes, R extends ResourceTypes> {
  private compiled: readonly CompiledMember<S, R>[] | undefined;

  /**
   * @param names returns every member of the input, in the order of the model
   * @param uncopied members that name the resource or belong to the request
   * @param emptiable members whose empty value means none
   * @param table uses of members that are not simply copied
   */
  constructor(
    private readonly names: () => readonly string[],
    private readonly uncopied: ReadonlySet<string>,
    private readonly emptiable: readonly string[] = [],
    private readonly table: { readonly [Name in string]?: AnyRow<S, R> } = {},
  ) {}

  /** Returns the members of a request, except those that name the resource. */
  given(input: object): string[] {
    return this.names().filter((name) => !this.uncopied.has(name) && (input as Values)[name] !== undefined);
  }

  /** Returns the members of a request whose empty value means none. */
  emptyIn(input: object): readonly string[] {
    return this.emptiable.filter((name) => isBlank((input as Values)[name]));
  }

  /** Checks the values of a request one by one. @throws AwsError of the rows */
  check(input: object, change: Change<S, R>): void {
    for (const { name, row } of this.all) {
      if (!row.refused && !row.rule) continue;
      const value = (input as Values)[name];
      if (value === undefined || value === null) continue;
      const refusal = row.refused?.(value, change.ctx);
      if (refusal) throw refusal;
      row.rule?.(value, change);
    }
  }

  /** Copies the values of a request into a record, and removes those of empty members. */
  copy(input: object, record: object, empty: readonly string[]): void {
    for (const { name, target, row } of this.all) {
      if (target === undefined) continue;
      if (empty.includes(name)) delete (record as Values)[target];
      const value = (input as Values)[name];
      if (value === undefined) continue;
      (record as Values)[target] = row.attribute ? (value as { readonly Value?: unknown }).Value : value;
    }
  }

  /** Applies further effects of the values of a request. */
  apply(input: object, record: object, change: Change<S, R>): void {
    for (const { name, row } of this.all) {
      const value = (input as Values)[name];
      if (value !== undefined && value !== null) row.effect?.(value, record as never, change);
    }
  }

  private get all(): readonly CompiledMember<S, R>[] {
    this.compiled ??= this.names().flatMap((name): CompiledMember<S, R>[] => {
      const row = this.table[name] ?? {};
      if (row === 'read' || this.uncopied.has(name)) return [];
      const isCopied = !this.table[name] || row.copied || row.attribute;
      return [{ name, target: row.moved ?? (isCopied ? name : undefined), row }];
    });
    return this.compiled;
  }
}
