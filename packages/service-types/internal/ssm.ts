/** Data that an agent sends to register a machine with an activation. */
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

/** The registered machine. */
export interface RegisterManagedInstanceResult {
  /** `mi-…`. */
  InstanceId: string;
}

/** Internal operations of Systems Manager for other services. */
export interface SsmInternalOperations {
  RegisterManagedInstance: { input: RegisterManagedInstanceRequest; output: RegisterManagedInstanceResult };
}
