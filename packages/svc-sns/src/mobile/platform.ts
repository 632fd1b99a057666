import type { Collection, DeepReadonly } from '@emu/core/service';
import type { Outcome } from '../messages/outcome.ts';
import type { ApplicationRecord, EndpointRecord } from '../records.ts';
import { endpointType, textOfKey } from '../resources.ts';
import { keyOfApplication, keyOfEndpoint } from './keys.ts';

type Application = DeepReadonly<ApplicationRecord>;
type Endpoint = DeepReadonly<EndpointRecord>;

/** Platform applications and their endpoints of an account and region. */
export class Platform {
  constructor(
    private readonly applications: Collection<ApplicationRecord>,
    private readonly endpoints: Collection<EndpointRecord>,
  ) {}

  /** @param key `<platform>/<name>` */
  application(key: string): Application | undefined {
    return this.applications.get(key);
  }

  listApplications(): Iterable<Application> {
    return this.applications.values();
  }

  putApplication(record: ApplicationRecord): void {
    this.applications.put(keyOfApplication(record), record);
  }

  updateApplication(key: string, attributes: Readonly<Record<string, string>>): void {
    this.applications.update(key, (draft) => Object.assign(draft.attributes, attributes));
  }

  /** Deletes an application and its endpoints. */
  deleteApplication(key: string): void {
    for (const endpoint of [...this.listEndpoints(key)]) this.deleteEndpoint(keyOfEndpoint(endpoint));
    this.applications.delete(key);
  }

  /** @param key `<platform>/<application>/<id>` */
  endpoint(key: string): Endpoint | undefined {
    return this.endpoints.get(key);
  }

  /** @param application key of the application; undefined for all endpoints */
  *listEndpoints(application?: string): Iterable<Endpoint> {
    for (const endpoint of this.endpoints.values())
      if (application === undefined || endpoint.application === application) yield endpoint;
  }

  putEndpoint(record: EndpointRecord): void {
    this.endpoints.put(keyOfEndpoint(record), record);
  }

  updateEndpoint(key: string, attributes: Readonly<Record<string, string>>): void {
    this.endpoints.update(key, (draft) => Object.assign(draft.attributes, attributes));
  }

  deleteEndpoint(key: string): void {
    this.endpoints.delete(key);
  }

  /** Returns an endpoint by its ARN. */
  endpointAt(endpointArn: string): Endpoint | undefined {
    const address = endpointType.parse(endpointArn);
    return address && this.endpoint(textOfKey(address.key));
  }

  /** Returns the reason why an endpoint cannot receive messages; undefined if it can. */
  refusalOf(endpointArn: string): Outcome | undefined {
    const endpoint = this.endpointAt(endpointArn);
    const refuse = (error: string): Outcome => ({ delivered: false, error, retriable: false });
    if (!endpoint) return refuse('the endpoint does not exist');
    if (endpoint.attributes.Enabled === 'false') return refuse('the endpoint is disabled');
    if (this.application(endpoint.application)?.attributes.Enabled === 'false')
      return refuse('the platform application is disabled');
    return undefined;
  }
}
