import { TimedCache } from '@emu/apigateway-common';
import {
  type Clock,
  type Collection,
  type CollectionDefinition,
  type DeepReadonly,
  type Ids,
  OwnedCollection,
  type StateScope,
  type Tally,
  TokenBuckets,
} from '@emu/core/service';
import { endpointKindOf } from './apis/endpoint-kind.ts';
import type { AuthorizerResult } from './data-plane/authorizers/result.ts';
import type { CachedResponse } from './data-plane/cached-response.ts';
import * as records from './records.ts';

/** A stored API. */
export type Api = DeepReadonly<records.ApiRecord>;
/** A stored resource. */
export type Resource = DeepReadonly<records.ResourceRecord>;
/** A stored stage. */
export type StageView = DeepReadonly<records.StageRecord>;

/** Maximum number of cached authorizer policies and of cached responses. */
const MAX_CACHED = 5000;
/** Separator between the keys of owner and record. */
const OWNER_SEPARATOR = '\n';

/** REST APIs of an account and region. */
export class ApiGatewayState {
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly apis: Collection<records.ApiRecord>;
  /** Number of APIs by endpoint kind. */
  readonly apiNumbers: Tally;
  readonly resources: OwnedCollection<records.ResourceRecord>;
  readonly models: OwnedCollection<records.ModelRecord>;
  readonly authorizers: OwnedCollection<records.AuthorizerRecord>;
  readonly validators: OwnedCollection<records.ValidatorRecord>;
  readonly gatewayResponses: OwnedCollection<records.GatewayResponseRecord>;
  readonly parts: OwnedCollection<records.DocumentationPartRecord>;
  readonly versions: OwnedCollection<records.DocumentationVersionRecord>;
  readonly deployments: OwnedCollection<records.DeploymentRecord>;
  readonly stages: OwnedCollection<records.StageRecord>;
  readonly apiKeys: Collection<records.ApiKeyRecord>;
  readonly usagePlans: Collection<records.UsagePlanRecord>;
  /** Keys of plans by plan. */
  readonly planKeys: OwnedCollection<records.PlanKeyRecord>;
  readonly account: Collection<records.AccountRecord>;
  readonly vpcLinks: Collection<records.VpcLinkRecord>;
  readonly certificates: Collection<records.ClientCertificateRecord>;
  readonly domains: Collection<records.DomainRecord>;
  /** Number of public and of private domain names. */
  readonly domainNumbers: Tally;
  readonly basePaths: OwnedCollection<records.BasePathRecord>;
  readonly associations: Collection<records.AccessAssociationRecord>;
  /** Authorizer results by authorizer, stage and identity. */
  readonly authorizerResults = new TimedCache<AuthorizerResult>(MAX_CACHED);
  /** Integration responses by stage. */
  readonly responses = new TimedCache<CachedResponse>(MAX_CACHED);
  /** Token buckets of stages, methods and usage plans. */
  readonly rates = new TokenBuckets();
  /** Ids of API keys by value, and of the plans of a key. */
  private readonly keysByValue = new Map<string, string>();
  private readonly plansOfKey = new Map<string, Set<string>>();

  constructor(readonly scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.partition = scope.partition;
    this.clock = scope.clock;
    this.ids = scope.ids;
    const owned = <T>(definition: CollectionDefinition<T>) =>
      new OwnedCollection(scope.collection(definition), OWNER_SEPARATOR);
    this.apis = scope.collection(records.apiCollection);
    this.apiNumbers = this.apis.tally(({ endpointConfiguration }) => endpointKindOf(endpointConfiguration.types));
    this.resources = owned(records.resourceCollection);
    this.models = owned(records.modelCollection);
    this.authorizers = owned(records.authorizerCollection);
    this.validators = owned(records.validatorCollection);
    this.gatewayResponses = owned(records.gatewayResponseCollection);
    this.parts = owned(records.partCollection);
    this.versions = owned(records.versionCollection);
    this.deployments = owned(records.deploymentCollection);
    this.stages = owned(records.stageCollection);
    this.apiKeys = scope.collection(records.apiKeyCollection);
    this.usagePlans = scope.collection(records.usagePlanCollection);
    this.planKeys = owned(records.planKeyCollection);
    this.account = scope.collection(records.accountCollection);
    this.vpcLinks = scope.collection(records.vpcLinkCollection);
    this.certificates = scope.collection(records.certificateCollection);
    this.domains = scope.collection(records.domainCollection);
    this.domainNumbers = this.domains.tally(({ domainNameId }) => (domainNameId === undefined ? 'public' : 'private'));
    this.basePaths = owned(records.basePathCollection);
    this.associations = scope.collection(records.associationCollection);
    for (const { id, value } of this.apiKeys.values()) this.keysByValue.set(value, id);
    for (const { planId, keyId } of this.planKeys.records.values()) this.indexPlan(planId, keyId);
  }

  /**
   * Returns a new id of lower-case letters and digits.
   * @param length number of characters
   */
  newId(length = 10): string {
    return this.ids.chars(length, 'abcdefghijklmnopqrstuvwxyz0123456789');
  }

  /** Deletes an API with all of its parts. */
  deleteApi(apiId: string): void {
    const { resources, models, authorizers, validators, gatewayResponses, parts, versions, deployments, stages } = this;
    const all = [resources, models, authorizers, validators, gatewayResponses, parts, versions, deployments, stages];
    for (const part of all) part.clear(apiId);
    this.authorizerResults.clear(`${apiId}/`);
    this.responses.clear(`${apiId}/`);
    this.apis.delete(apiId);
  }

  putApiKey(key: records.ApiKeyRecord): void {
    this.keysByValue.set(key.value, key.id);
    this.apiKeys.put(key.id, key);
  }

  /** Deletes a key, including its plan memberships. */
  deleteApiKey(id: string): void {
    const key = this.apiKeys.get(id);
    if (!key) return;
    for (const planId of this.plansOf(id)) this.deletePlanKey(planId, id);
    this.keysByValue.delete(key.value);
    this.apiKeys.delete(id);
  }

  /** Returns the API key with a value. */
  apiKeyOf(value: string): DeepReadonly<records.ApiKeyRecord> | undefined {
    const id = this.keysByValue.get(value);
    return id === undefined ? undefined : this.apiKeys.get(id);
  }

  putPlanKey(record: records.PlanKeyRecord): void {
    this.indexPlan(record.planId, record.keyId);
    this.planKeys.put(record.planId, record.keyId, record);
  }

  deletePlanKey(planId: string, keyId: string): void {
    this.planKeys.delete(planId, keyId);
    this.plansOfKey.get(keyId)?.delete(planId);
  }

  /** Returns the ids of a key's usage plans. */
  plansOf(keyId: string): readonly string[] {
    return [...(this.plansOfKey.get(keyId) ?? [])];
  }

  private indexPlan(planId: string, keyId: string): void {
    const plans = this.plansOfKey.get(keyId);
    if (plans) plans.add(planId);
    else this.plansOfKey.set(keyId, new Set([planId]));
  }
}

/** Creates the state of an account and region. */
export const createState = (scope: StateScope): ApiGatewayState => new ApiGatewayState(scope);
