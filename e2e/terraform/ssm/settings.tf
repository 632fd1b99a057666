variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_kms_key" "parameters" {
  description             = "ssm-parameters"
  deletion_window_in_days = 7
}

resource "aws_ssm_parameter" "single" {
  name        = "/single"
  description = var.changed ? "Second" : "First"
  type        = "String"
  value       = var.changed ? "second" : "first"

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_ssm_parameter" "encrypted" {
  name   = "/app/encrypted"
  type   = "SecureString"
  value  = var.changed ? "second" : "first"
  key_id = aws_kms_key.parameters.arn
  tier   = "Intelligent-Tiering"
}

resource "aws_ssm_parameter" "written" {
  name             = "/app/written"
  type             = "SecureString"
  value_wo         = var.changed ? "second" : "first"
  value_wo_version = var.changed ? 2 : 1
}

resource "aws_ssm_parameter" "insecure" {
  name           = "/app/insecure"
  type           = "String"
  insecure_value = var.changed ? "second" : "first"
  overwrite      = true
  tier           = var.changed ? "Advanced" : "Standard"
}

resource "aws_ssm_parameter" "image" {
  name      = "/app/image"
  type      = "String"
  data_type = "text"
  value     = "ami-0123456789abcdef0"
}

resource "aws_ssm_document" "versions" {
  name            = "versions"
  document_type   = "Command"
  document_format = "JSON"
  version_name    = var.changed ? "second" : "first"
  target_type     = "/AWS::EC2::Instance"

  content = jsonencode({
    schemaVersion = "2.2"
    description   = var.changed ? "Second" : "First"
    mainSteps     = [{ action = "aws:runShellScript", name = "run", inputs = { runCommand = ["date"] } }]
  })

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_ssm_document" "session" {
  name          = "session"
  document_type = "Session"

  content = jsonencode({
    schemaVersion = "1.0"
    description   = "Session"
    sessionType   = "Standard_Stream"
    inputs        = { s3BucketName = "", s3EncryptionEnabled = true, cloudWatchLogGroupName = "" }
  })
}

resource "aws_ssm_association" "logged" {
  name                        = aws_ssm_document.versions.name
  association_name            = var.changed ? "second" : "first"
  document_version            = "$LATEST"
  apply_only_at_cron_interval = var.changed
  schedule_expression         = "cron(0 2 ? * SUN *)"
  compliance_severity         = var.changed ? "LOW" : "CRITICAL"
  max_concurrency             = "50%"

  output_location {
    s3_bucket_name = aws_s3_bucket.inventory.bucket
    s3_key_prefix  = var.changed ? "second" : "first"
    s3_region      = "eu-central-1"
  }

  targets {
    key    = "InstanceIds"
    values = ["*"]
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_ssm_association" "automation" {
  name                             = aws_ssm_document.runbook.name
  sync_compliance                  = "MANUAL"
  automation_target_parameter_name = "InstanceId"
  schedule_expression              = "rate(7 days)"
  max_concurrency                  = "1"
  max_errors                       = "0%"

  targets {
    key    = "ParameterValues"
    values = ["i-0123456789abcdef0"]
  }
}

resource "aws_ssm_maintenance_window" "bounded" {
  name                       = "bounded"
  allow_unassociated_targets = true
  schedule                   = "rate(7 days)"
  duration                   = var.changed ? 4 : 3
  cutoff                     = 0
  enabled                    = var.changed
  start_date                 = "2030-01-01T00:00:00Z"
  end_date                   = var.changed ? "2033-01-01T00:00:00Z" : "2032-01-01T00:00:00Z"
  description                = var.changed ? null : "First"
}

resource "aws_ssm_maintenance_window" "offset" {
  name            = "offset"
  schedule        = "cron(0 16 ? * TUE#3 *)"
  duration        = 3
  cutoff          = 1
  schedule_offset = var.changed ? 3 : 2
}

resource "aws_ssm_maintenance_window_target" "group" {
  window_id     = aws_ssm_maintenance_window.bounded.id
  name          = var.changed ? "second" : "first"
  resource_type = "RESOURCE_GROUP"

  targets {
    key    = "resource-groups:Name"
    values = ["orders"]
  }
}

resource "aws_ssm_maintenance_window_task" "runbook" {
  window_id        = aws_ssm_maintenance_window.bounded.id
  name             = "runbook"
  description      = var.changed ? "Second" : "First"
  task_type        = "AUTOMATION"
  task_arn         = "AWS-RestartEC2Instance"
  priority         = var.changed ? 3 : 2
  service_role_arn = aws_iam_role.hybrid.arn
  max_concurrency  = 2
  max_errors       = 1
  cutoff_behavior  = var.changed ? "CONTINUE_TASK" : "CANCEL_TASK"

  targets {
    key    = "InstanceIds"
    values = ["i-0123456789abcdef0"]
  }

  task_invocation_parameters {
    automation_parameters {
      document_version = "$LATEST"

      parameter {
        name   = "InstanceId"
        values = ["{{RESOURCE_ID}}"]
      }
    }
  }
}

resource "aws_ssm_maintenance_window_task" "machine" {
  window_id       = aws_ssm_maintenance_window.bounded.id
  task_type       = "STEP_FUNCTIONS"
  task_arn        = "arn:aws:states:eu-central-1:123456789012:stateMachine:orders"
  max_concurrency = 2
  max_errors      = 1

  targets {
    key    = "InstanceIds"
    values = ["i-0123456789abcdef0"]
  }

  task_invocation_parameters {
    step_functions_parameters {
      input = "{\"key1\":\"${var.changed ? "second" : "first"}\"}"
      name  = "run"
    }
  }
}

resource "aws_ssm_maintenance_window_task" "command" {
  window_id       = aws_ssm_maintenance_window.bounded.id
  task_type       = "RUN_COMMAND"
  task_arn        = "AWS-RunShellScript"
  max_concurrency = 2
  max_errors      = 1

  targets {
    key    = "InstanceIds"
    values = ["i-0123456789abcdef0"]
  }

  task_invocation_parameters {
    run_command_parameters {
      output_s3_bucket     = aws_s3_bucket.inventory.bucket
      output_s3_key_prefix = "output"
      service_role_arn     = aws_iam_role.hybrid.arn
      timeout_seconds      = var.changed ? 900 : 600
      document_version     = "$LATEST"

      notification_config {
        notification_arn    = "arn:aws:sns:eu-central-1:123456789012:orders"
        notification_events = ["All"]
        notification_type   = "Command"
      }

      cloudwatch_config {
        cloudwatch_log_group_name = "commands"
        cloudwatch_output_enabled = var.changed
      }

      parameter {
        name   = "commands"
        values = ["date"]
      }
    }
  }
}

resource "aws_ssm_patch_baseline" "ubuntu" {
  name                              = "ubuntu"
  operating_system                  = "UBUNTU"
  approved_patches_compliance_level = var.changed ? "CRITICAL" : "UNSPECIFIED"
  rejected_patches_action           = "ALLOW_AS_DEPENDENCY"

  approval_rule {
    approve_after_days  = var.changed ? 14 : 7
    enable_non_security = true

    patch_filter {
      key    = "PRODUCT"
      values = ["*"]
    }
  }
}

resource "aws_ssm_patch_baseline" "sources" {
  name                                 = "sources"
  operating_system                     = "AMAZON_LINUX_2"
  approved_patches_enable_non_security = var.changed

  approval_rule {
    approve_until_date = var.changed ? "2031-01-01" : "2030-01-01"

    patch_filter {
      key    = "CLASSIFICATION"
      values = ["*"]
    }
  }

  source {
    name          = "mirror"
    configuration = "[mirror]\nbaseurl=https://mirror.example"
    products      = ["AmazonLinux2"]
  }
}

resource "aws_ssm_resource_data_sync" "prefixed" {
  name = "prefixed"

  s3_destination {
    bucket_name = aws_s3_bucket.inventory.bucket
    region      = aws_s3_bucket.inventory.region
    prefix      = "prefixed"
    kms_key_arn = aws_kms_key.parameters.arn
  }
}
