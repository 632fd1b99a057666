import type { Logger } from '../base/log.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import type { ServiceManifest } from '../plugin/manifest.ts';
import type { LoadedService } from '../services/loaded-service.ts';
import type { OwnState } from '../services/own-state.ts';
import type { Quotas } from '../services/quotas.ts';
import type { StoredCredentials } from '../services/stored-credentials.ts';
import type { Turnover } from '../services/turnover.ts';
import type { BodyStore } from '../storage/body-store.ts';
import type { EmulatorClock } from '../time/clock.ts';

/** What saving and loading state needs of the emulator. */
export interface StateHost {
  readonly clock: EmulatorClock;
  readonly credentials: StoredCredentials;
  readonly log: Logger;
  readonly manifests: readonly ServiceManifest[];
  /** What the emulator itself keeps. */
  readonly ownState: OwnState;
  readonly quotas: Quotas;
  readonly settings: EmulatorSettings;
  readonly version: string;
  bodiesOf(service: string): BodyStore;
  loadedServices(): readonly LoadedService[];
  readonly turnover: Turnover;
  service(name: string): Promise<LoadedService>;
  /** Called when the time may have been set back. */
  sweepSessions(): void;
  committed(): Promise<void>;
}
