import type { AwsError } from '@emu/wire';
import { partitionOf } from '../aws/partitions.ts';
import type { Capability } from '../base/capability.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { CallOptions, OperationInput, OperationName, OperationOutput, ServiceName } from '../calls/calls.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import type { CredentialRegistry, Principal } from '../identity/principal.ts';
import type { OperationContext } from '../plugin/context.ts';
import type { ServiceHandle } from '../plugin/handle.ts';
import type { HttpDetails, ReplyDetails } from '../plugin/http.ts';
import type { Invocation } from '../services/invocation.ts';
import type { InternalCallOptions, LoadedService, ServiceHost } from '../services/loaded-service.ts';
import type { BodyStore } from '../storage/body-store.ts';
import type { Clock } from '../time/clock.ts';

/** The context of one running operation; rarely used members are created on access. */
export class OperationContextImpl implements OperationContext {
  private httpDetails: HttpDetails | undefined;

  constructor(
    private readonly host: ServiceHost,
    private readonly loaded: LoadedService,
    private readonly invocation: Invocation,
  ) {}

  get service(): string {
    return this.invocation.service;
  }
  get operation(): string {
    return this.invocation.operation;
  }
  get accountId(): string {
    return this.invocation.accountId;
  }
  get region(): string {
    return this.invocation.region;
  }
  get partition(): string {
    return partitionOf(this.invocation.region);
  }
  get principal(): Principal {
    return this.invocation.principal;
  }
  get requestId(): string {
    return this.invocation.requestId;
  }
  get cause(): string | undefined {
    return this.invocation.cause;
  }
  get endpoint(): string {
    return this.invocation.endpoint;
  }
  get clock(): Clock {
    return this.host.environment.clock;
  }
  get ids(): Ids {
    return this.host.environment.ids;
  }
  get log(): Logger {
    return this.host.environment.log;
  }
  get bodies(): BodyStore {
    return this.host.storage.bodiesOf(this.invocation.service);
  }
  get settings(): EmulatorSettings {
    return this.host.environment.settings;
  }
  get credentials(): CredentialRegistry {
    this.invocation.changes?.add(this.host.environment.credentials.store);
    return this.host.environment.credentials;
  }
  get state(): unknown {
    return this.loaded.state(this.invocation.accountId, this.invocation.region);
  }
  get handle(): ServiceHandle {
    return this.loaded;
  }
  get signal(): AbortSignal {
    return this.invocation.signal();
  }
  get http(): HttpDetails | undefined {
    this.httpDetails ??= this.invocation.http;
    return this.httpDetails;
  }
  get traceHeader(): string | undefined {
    const header = this.invocation.traceHeader ?? this.invocation.http?.headers['x-amzn-trace-id'];
    return typeof header === 'string' ? header : header?.[0];
  }
  get reply(): ReplyDetails {
    this.invocation.reply ??= { headers: {} };
    return this.invocation.reply;
  }

  get enforced(): boolean {
    return this.host.environment.enforces && this.invocation.authorize !== undefined;
  }

  wouldRefuse(refusal: AwsError): void {
    if (this.host.environment.enforces) throw refusal;
    const { service, operation, requestId } = this;
    this.log.warn(`AWS would refuse this: ${refusal.code}: ${refusal.message}`, { service, operation, requestId });
  }

  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined> {
    return this.host.capabilities.capability(capability);
  }

  call<Service extends ServiceName, Operation extends OperationName<Service>>(
    service: Service,
    operation: Operation,
    input: OperationInput<Service, Operation>,
    options?: CallOptions,
  ): Promise<OperationOutput<Service, Operation>> {
    return this.host.calls.call(service, operation, input, this.asCaller(options));
  }

  callJson(service: string, operation: string, json: unknown, options?: CallOptions): Promise<unknown> {
    return this.host.calls.callJson(service, operation, json, this.asCaller(options));
  }

  /** Returns the options of a call that the operation makes. */
  private asCaller(options: CallOptions | undefined): InternalCallOptions {
    const { accountId, region, principal, endpoint, service: via, changes, requestId: cause } = this.invocation;
    const { traceHeader } = this;
    const caller = { accountId, region, principal, endpoint, cause, ...(traceHeader !== undefined && { traceHeader }) };
    return { ...caller, ...options, via, changes };
  }
}
