import {
  type Clock,
  type Collection,
  type CollectionDefinition,
  type DeepReadonly,
  type Ids,
  OwnedCollection,
  type ServiceHandle,
  type StateScope,
} from '@emu/core/service';
import {
  type ApiMappingRecord,
  type ApiRecord,
  type AuthorizerRecord,
  apiCollection,
  apiMappingCollection,
  authorizerCollection,
  type Configuration,
  type DeploymentRecord,
  type DomainNameRecord,
  deploymentCollection,
  domainNameCollection,
  type EndpointPageRecord,
  endpointPageCollection,
  type IntegrationRecord,
  type IntegrationResponseRecord,
  integrationCollection,
  integrationResponseCollection,
  type ModelRecord,
  modelCollection,
  type PortalProductRecord,
  type PortalRecord,
  type ProductPageRecord,
  portalCollection,
  portalProductCollection,
  productPageCollection,
  type RouteRecord,
  type RouteResponseRecord,
  type RoutingRuleRecord,
  routeCollection,
  routeResponseCollection,
  routingRuleCollection,
  type StageRecord,
  stageCollection,
  type VpcLinkRecord,
  vpcLinkCollection,
} from './records.ts';
import type { ApiRegistry } from './registry.ts';
import { Runtime } from './runtime.ts';

/** Characters of API Gateway's ids. */
const ID_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PART_ID = 7;
const DEPLOYMENT_ID = 6;

/** HTTP and WebSocket APIs and domain names of an account and region. */
export class Apigatewayv2State implements ApiRegistry {
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly service: ServiceHandle;
  readonly apis: Collection<ApiRecord>;
  readonly routes: OwnedCollection<RouteRecord>;
  readonly integrations: OwnedCollection<IntegrationRecord>;
  readonly authorizers: OwnedCollection<AuthorizerRecord>;
  readonly models: OwnedCollection<ModelRecord>;
  readonly routeResponses: OwnedCollection<RouteResponseRecord>;
  readonly integrationResponses: OwnedCollection<IntegrationResponseRecord>;
  readonly stages: OwnedCollection<StageRecord>;
  readonly deployments: OwnedCollection<DeploymentRecord>;
  readonly domainNames: Collection<DomainNameRecord>;
  readonly apiMappings: OwnedCollection<ApiMappingRecord>;
  readonly routingRules: OwnedCollection<RoutingRuleRecord>;
  readonly vpcLinks: Collection<VpcLinkRecord>;
  readonly portals: Collection<PortalRecord>;
  readonly products: Collection<PortalProductRecord>;
  readonly pages: OwnedCollection<ProductPageRecord>;
  readonly endpointPages: OwnedCollection<EndpointPageRecord>;
  /** Runtime state that is not persisted: compiled stages, caches, connections. */
  readonly runtime: Runtime;

  constructor(readonly scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.partition = scope.partition;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.service = scope.service;
    const owned = <T>(definition: CollectionDefinition<T>) => new OwnedCollection(scope.collection(definition));
    this.apis = scope.collection(apiCollection);
    this.routes = owned(routeCollection);
    this.integrations = owned(integrationCollection);
    this.authorizers = owned(authorizerCollection);
    this.models = owned(modelCollection);
    this.routeResponses = owned(routeResponseCollection);
    this.integrationResponses = owned(integrationResponseCollection);
    this.stages = owned(stageCollection);
    this.deployments = owned(deploymentCollection);
    this.domainNames = scope.collection(domainNameCollection);
    this.apiMappings = owned(apiMappingCollection);
    this.routingRules = owned(routingRuleCollection);
    this.vpcLinks = scope.collection(vpcLinkCollection);
    this.portals = scope.collection(portalCollection);
    this.products = scope.collection(portalProductCollection);
    this.pages = owned(productPageCollection);
    this.endpointPages = owned(endpointPageCollection);
    this.runtime = new Runtime(this);
  }

  /** Returns a new id for a part of an API. */
  newId(): string {
    return this.ids.chars(PART_ID, ID_CHARACTERS);
  }

  /** Returns the current configuration of an API, as stored in deployments. */
  configurationOf(apiId: string): Configuration {
    const api = this.apis.get(apiId)!;
    const routes = this.routes.list(apiId);
    const integrations = this.integrations.list(apiId);
    return {
      ...(api.CorsConfiguration && { cors: api.CorsConfiguration }),
      routeSelectionExpression: api.RouteSelectionExpression,
      routes,
      integrations,
      authorizers: this.authorizers.list(apiId),
      models: this.models.list(apiId),
      routeResponses: Object.fromEntries(
        routes.map(({ RouteId }) => [RouteId, this.routeResponses.list(`${apiId}/${RouteId}`)]),
      ),
      integrationResponses: Object.fromEntries(
        integrations.map(({ IntegrationId }) => [
          IntegrationId,
          this.integrationResponses.list(`${apiId}/${IntegrationId}`),
        ]),
      ),
      // Records are immutable; a configuration is read-only.
    } as unknown as Configuration;
  }

  /**
   * Creates a deployment of an API.
   * @param automatic whether it is for stages with automatic deployment
   */
  deploy(apiId: string, description: string | undefined, automatic: boolean): DeepReadonly<DeploymentRecord> {
    const id = this.ids.chars(DEPLOYMENT_ID, ID_CHARACTERS);
    return this.deployments.put(apiId, id, {
      DeploymentId: id,
      AutoDeployed: automatic,
      DeploymentStatus: 'DEPLOYED',
      ...(description !== undefined && { Description: description }),
      createdAt: this.clock.now(),
      // Stages with automatic deployment serve the current configuration.
      ...(!automatic && { configuration: this.configurationOf(apiId) }),
    });
  }

  /** Deploys an API to its stages with automatic deployment; called after each change. */
  changed(apiId: string): void {
    this.runtime.evict(apiId);
    const stages = this.stages.list(apiId).filter(({ AutoDeploy }) => AutoDeploy);
    if (stages.length === 0 || this.routes.count(apiId) === 0) return;
    const { DeploymentId } = this.deploy(
      apiId,
      'Automatic deployment triggered by changes to the Api configuration',
      true,
    );
    for (const { StageName } of stages) this.point(apiId, StageName, DeploymentId);
    this.dropUnused(apiId);
  }

  /** Assigns a deployment to a stage. */
  point(apiId: string, stage: string, deploymentId: string): DeepReadonly<StageRecord> {
    this.runtime.evict(apiId);
    return this.stages.update(apiId, stage, (draft) => {
      draft.DeploymentId = deploymentId;
      draft.LastDeploymentStatusMessage = `Successfully deployed stage with deployment ID '${deploymentId}'`;
      draft.updatedAt = this.clock.now();
    });
  }

  /** Stores the current configuration in the deployment of a stage that ends automatic deployment. */
  fix(apiId: string, deploymentId: string | undefined): void {
    const deployment = deploymentId === undefined ? undefined : this.deployments.get(apiId, deploymentId);
    if (!deployment || deployment.configuration) return;
    this.deployments.update(apiId, deploymentId!, (draft) => {
      draft.configuration = this.configurationOf(apiId);
    });
  }

  /** Deletes automatic deployments that no stage serves. */
  dropUnused(apiId: string): void {
    const used = new Set(this.stages.list(apiId).map(({ DeploymentId }) => DeploymentId));
    for (const { DeploymentId, AutoDeployed, configuration } of this.deployments.list(apiId))
      if (AutoDeployed && !configuration && !used.has(DeploymentId)) this.deployments.delete(apiId, DeploymentId);
  }

  /** Returns the configuration that a stage serves; undefined if nothing is deployed. */
  deployed(apiId: string, stage: DeepReadonly<StageRecord>): Configuration | undefined {
    const { DeploymentId, AutoDeploy } = stage;
    if (DeploymentId === undefined) return undefined;
    if (AutoDeploy) return this.configurationOf(apiId);
    return this.deployments.get(apiId, DeploymentId)?.configuration as Configuration | undefined;
  }
}

/** Creates the state of an account and region. */
export function createState(scope: StateScope): Apigatewayv2State {
  return new Apigatewayv2State(scope);
}
