resource "aws_ssm_maintenance_window" "nightly" {
  name                       = "nightly"
  description                = "cleans up"
  schedule                   = "cron(0 4 ? * * *)"
  schedule_timezone          = "Europe/Berlin"
  duration                   = 3
  cutoff                     = 1
  allow_unassociated_targets = false

  tags = {
    Team = "operations"
  }
}

resource "aws_ssm_maintenance_window_target" "web" {
  window_id         = aws_ssm_maintenance_window.nightly.id
  name              = "web"
  description       = "the web servers"
  resource_type     = "INSTANCE"
  owner_information = "operations"

  targets {
    key    = "tag:Role"
    values = ["web"]
  }
}

resource "aws_ssm_maintenance_window_task" "script" {
  window_id       = aws_ssm_maintenance_window.nightly.id
  name            = "script"
  task_type       = "RUN_COMMAND"
  task_arn        = "AWS-RunShellScript"
  priority        = 1
  max_concurrency = "2"
  max_errors      = "1"

  targets {
    key    = "WindowTargetIds"
    values = [aws_ssm_maintenance_window_target.web.id]
  }

  task_invocation_parameters {
    run_command_parameters {
      comment         = "nightly"
      timeout_seconds = 600

      parameter {
        name   = "commands"
        values = ["echo hello"]
      }
    }
  }
}

resource "aws_ssm_maintenance_window_task" "function" {
  window_id = aws_ssm_maintenance_window.nightly.id
  task_type = "LAMBDA"
  task_arn  = "arn:aws:lambda:eu-central-1:123456789012:function:clean"
  priority  = 2

  task_invocation_parameters {
    lambda_parameters {
      payload = "{\"clean\":true}"
    }
  }
}

resource "aws_ssm_patch_baseline" "linux" {
  name             = "linux"
  description      = "security only"
  operating_system = "AMAZON_LINUX_2023"
  approved_patches = ["kernel"]
  rejected_patches = ["bad"]

  global_filter {
    key    = "PRODUCT"
    values = ["AmazonLinux2023"]
  }

  approval_rule {
    approve_after_days = 7
    compliance_level   = "HIGH"

    patch_filter {
      key    = "CLASSIFICATION"
      values = ["Security"]
    }
  }

  tags = {
    Team = "operations"
  }
}

resource "aws_ssm_patch_group" "web" {
  baseline_id = aws_ssm_patch_baseline.linux.id
  patch_group = "web"
}

resource "aws_ssm_default_patch_baseline" "linux" {
  baseline_id      = aws_ssm_patch_baseline.linux.id
  operating_system = aws_ssm_patch_baseline.linux.operating_system
}

data "aws_ssm_patch_baseline" "predefined" {
  owner            = "AWS"
  name_prefix      = "AWS-"
  operating_system = "CENTOS"
}

resource "aws_ssm_association" "hello" {
  name                = "AWS-RunShellScript"
  association_name    = "hello"
  schedule_expression = "rate(1 day)"
  compliance_severity = "HIGH"
  max_concurrency     = "2"
  max_errors          = "1"

  parameters = {
    commands = "echo hello"
  }

  targets {
    key    = "tag:Role"
    values = ["web"]
  }
}

resource "aws_s3_bucket" "inventory" {
  bucket = "ssm-inventory"
}

resource "aws_ssm_resource_data_sync" "inventory" {
  name = "inventory"

  s3_destination {
    bucket_name = aws_s3_bucket.inventory.bucket
    region      = aws_s3_bucket.inventory.region
  }
}
