import type { DeepReadonly } from '@emu/core/service';
import type { RouteSettings } from '@emu/service-types/apigatewayv2';
import type {
  ApiRecord,
  AuthorizerRecord,
  Configuration,
  IntegrationRecord,
  RouteRecord,
  StageRecord,
} from '../records.ts';
import { integrationIdOf } from './route-key.ts';
import { Router } from './router.ts';

/** A stage of an API, prepared to serve requests. */
export class CompiledStage {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
  private httpRouter: Router | undefined;
  private messageRoutes: Map<string, RouteRecord> | undefined;
  private readonly integrations: Map<string, IntegrationRecord>;
  private readonly authorizers: Map<string, AuthorizerRecord>;

  constructor(
    readonly api: DeepReadonly<ApiRecord>,
    readonly stage: DeepReadonly<StageRecord>,
    readonly configuration: Configuration,
  ) {
    this.name = stage.StageName;
    this.variables = stage.StageVariables ?? {};
    this.integrations = new Map(configuration.integrations.map((one) => [one.IntegrationId, one]));
    this.authorizers = new Map(configuration.authorizers.map((one) => [one.AuthorizerId, one]));
  }

  /** Router for requests to an HTTP API. */
  get router(): Router {
    this.httpRouter ??= new Router(this.configuration.routes);
    return this.httpRouter;
  }

  /** Returns a route of a WebSocket API by key. */
  messageRoute(key: string): RouteRecord | undefined {
    this.messageRoutes ??= new Map(this.configuration.routes.map((route) => [route.RouteKey, route]));
    return this.messageRoutes.get(key);
  }

  /** Returns the integration of a route; undefined if it has none. */
  integrationOf(route: RouteRecord): IntegrationRecord | undefined {
    return this.integrations.get(integrationIdOf(route) ?? '');
  }

  /** Returns the authorizer of a route; undefined if it has none. */
  authorizerOf({ AuthorizerId }: RouteRecord): AuthorizerRecord | undefined {
    return AuthorizerId === undefined ? undefined : this.authorizers.get(AuthorizerId);
  }

  /** Returns the settings of a route, which override the stage's. */
  settingsOf(routeKey: string): RouteSettings {
    return { ...this.stage.DefaultRouteSettings, ...this.stage.RouteSettings?.[routeKey] };
  }
}
