/** What an agent tells when it registers a machine by an activation. */
export interface RegisterManagedInstanceRequest {
  ActivationId: string;
  ActivationCode: string;
  PlatformType?: 'Windows' | 'Linux' | 'MacOS' | undefined;
  PlatformName?: string | undefined;
  PlatformVersion?: string | undefined;
  AgentVersion?: string | undefined;
  IPAddress?: string | undefined;
  ComputerName?: string | undefined;
}

/** The machine from then on. */
export interface RegisterManagedInstanceResult {
  /** `mi-…`. */
  InstanceId: string;
}

/** What Systems Manager does for other services without an API of AWS's. */
export interface SsmInternalOperations {
  RegisterManagedInstance: { input: RegisterManagedInstanceRequest; output: RegisterManagedInstanceResult };
}
