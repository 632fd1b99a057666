import type { DeepReadonly } from '@emu/core/service';
import type { RouteSettings } from '@emu/service-types/apigatewayv2';
import { Router } from '../http/router.ts';
import type {
  ApiRecord,
  AuthorizerRecord,
  Configuration,
  IntegrationRecord,
  RouteRecord,
  StageRecord,
} from '../records.ts';
import { integrationIdOf } from '../validation/route-key.ts';

/** A stage of an API with what it serves, as requests need it. */
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

  /** How requests to an HTTP API find their routes. */
  get router(): Router {
    this.httpRouter ??= new Router(this.configuration.routes);
    return this.httpRouter;
  }

  /** The route of a WebSocket API by its key. */
  messageRoute(key: string): RouteRecord | undefined {
    this.messageRoutes ??= new Map(this.configuration.routes.map((route) => [route.RouteKey, route]));
    return this.messageRoutes.get(key);
  }

  /** What a route calls; undefined where it calls nothing. */
  integrationOf(route: RouteRecord): IntegrationRecord | undefined {
    return this.integrations.get(integrationIdOf(route) ?? '');
  }

  /** Who decides on requests of a route; undefined where no authorizer does. */
  authorizerOf({ AuthorizerId }: RouteRecord): AuthorizerRecord | undefined {
    return AuthorizerId === undefined ? undefined : this.authorizers.get(AuthorizerId);
  }

  /** Limits of a route: its own in the place of the stage's. */
  settingsOf(routeKey: string): RouteSettings {
    return { ...this.stage.DefaultRouteSettings, ...this.stage.RouteSettings?.[routeKey] };
  }
}
