import {
  type Collection,
  type DeepReadonly,
  type InterruptedWork,
  interruptedRecords,
  type Principal,
  type StateScope,
  type Worker,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { DriftTypes } from '../drift/types.ts';
import { type Asker, readingContext } from '../host.ts';
import { generatedTemplateType } from '../resources.ts';
import { readResource, templateBody } from './building.ts';
import { type GeneratedResourceRecord, type GeneratedTemplateRecord, generatedTemplateCollection } from './records.ts';

/** A stored generated template. */
export type GeneratedTemplate = DeepReadonly<GeneratedTemplateRecord>;

const WORKING = /_(PENDING|IN_PROGRESS)$/;

/** Generates templates from existing resources in the background; interrupted ones start again after a restart. */
export class GeneratedTemplates implements Worker {
  private readonly abort = new AbortController();
  private readonly templates: Collection<GeneratedTemplateRecord>;
  /** Ids of templates whose resources are being read. */
  private readonly running = new Set<string>();

  constructor(
    private readonly scope: StateScope,
    private readonly types: DriftTypes,
  ) {
    this.templates = scope.collection(generatedTemplateCollection);
  }

  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.templates, {
      name: ({ uuid }) => `generated template ${uuid}`,
      isLeft: ({ status }) => WORKING.test(status),
      resume: ({ uuid }) => this.run(uuid),
      fail: ({ uuid }, reason) => this.giveUp(uuid, reason),
    });
  }

  close(): void {
    this.abort.abort(new Error('emu is closing'));
  }

  /** Returns the ARN of a generated template. */
  arn({ uuid }: Pick<GeneratedTemplate, 'uuid'>): string {
    return generatedTemplateType.arn({ uuid }, this.scope);
  }

  /** Returns a template by name or ARN. */
  find(name: string): GeneratedTemplate | undefined {
    const uuid = generatedTemplateType.parse(name)?.key.uuid;
    return uuid === undefined ? this.all().find((template) => template.name === name) : this.templates.get(uuid);
  }

  /** Returns all templates, oldest first. */
  all(): GeneratedTemplate[] {
    return [...this.templates.values()];
  }

  /** Whether the resources of a template are being read. */
  busy({ uuid }: Pick<GeneratedTemplate, 'uuid'>): boolean {
    return this.running.has(uuid);
  }

  /** Stores a template and reads its pending resources. */
  begin(record: GeneratedTemplateRecord): GeneratedTemplate {
    const template = this.templates.put(record.uuid, record);
    void this.run(record.uuid);
    return template;
  }

  delete(uuid: string): void {
    this.templates.delete(uuid);
  }

  private run(uuid: string): Promise<void> {
    this.running.add(uuid);
    return this.generate(uuid)
      .catch((error: unknown) => {
        if (this.abort.signal.aborted) return;
        this.scope.log.error('a template was not generated', { error });
        this.giveUp(uuid, String(error));
      })
      .finally(() => this.running.delete(uuid));
  }

  private giveUp(uuid: string, cause: string): void {
    if (this.templates.has(uuid))
      this.templates.update(uuid, (draft) => {
        draft.status = 'FAILED';
        draft.reason = `Internal failure: ${cause}`;
      });
  }

  private async generate(uuid: string): Promise<void> {
    // The response is sent before anything is read.
    await Promise.resolve();
    const begun = this.templates.get(uuid);
    if (!begun) return;
    this.templates.update(uuid, (draft) => {
      draft.status = draft.status.startsWith('CREATE') ? 'CREATE_IN_PROGRESS' : 'UPDATE_IN_PROGRESS';
    });
    const { principal, endpoint, cause } = begun.asker;
    const asker: Asker = { principal: principal as Principal, endpoint, cause };
    for (const [index, resource] of begun.resources.entries()) {
      if (resource.status === 'COMPLETE') continue;
      const outcome = await this.read(resource, asker);
      this.abort.signal.throwIfAborted();
      if (!this.templates.has(uuid)) return;
      this.templates.update(uuid, (draft) => {
        const { reason: _, ...known } = draft.resources[index]!;
        draft.resources[index] = { ...known, ...outcome };
      });
    }
    this.templates.update(uuid, (draft) => {
      const failed = draft.resources.filter(({ status }) => status === 'FAILED').map(({ logicalId }) => logicalId);
      draft.updatedAt = this.scope.clock.now();
      draft.status = failed.length ? 'FAILED' : 'COMPLETE';
      if (failed.length) draft.reason = `The following resource(s) could not be read: [${failed.join(', ')}]`;
      else {
        delete draft.reason;
        draft.body = JSON.stringify(templateBody(draft, this.arn(draft)));
      }
    });
  }

  /**
   * Reads a resource.
   * @returns changes to its record
   */
  private async read(
    { type, identifier }: DeepReadonly<GeneratedResourceRecord>,
    asker: Asker,
  ): Promise<Pick<GeneratedResourceRecord, 'status' | 'reason' | 'read' | 'warnings'>> {
    const failed = (reason: string) => ({ status: 'FAILED' as const, reason, warnings: [] });
    const provider = await this.types.comparable(type);
    if (!provider) return failed(`Resource type ${type} is not supported`);
    const id = provider.facts.primaryIdentifier.map((name) => identifier[name] ?? '').join('|');
    try {
      const model = await provider.read(id, readingContext(this.scope, asker, this.abort.signal));
      if (!model) return failed(`Resource of type '${type}' with identifier '${id}' was not found.`);
      const { read, warnings } = readResource(provider, id, model);
      return { status: 'COMPLETE', read: JSON.stringify(read), warnings };
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return failed(error.message);
    }
  }
}
