variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_kms_key" "workflow" {
  description             = "stepfunctions-workflow"
  deletion_window_in_days = 7
}

resource "aws_sfn_state_machine" "settings" {
  name_prefix = "settings-"
  role_arn    = aws_iam_role.workflow.arn
  publish     = true

  definition = <<-E
    {
      "Comment": "${var.changed ? "Second" : "First"}",
      "StartAt": "Wait",
      "States": {
        "Wait": {"Type": "Wait", "Seconds": 1, "Next": "Done"},
        "Done": {"Type": "Succeed"}
      }
    }
  E

  encryption_configuration {
    kms_key_id                        = aws_kms_key.workflow.arn
    type                              = "CUSTOMER_MANAGED_KMS_KEY"
    kms_data_key_reuse_period_seconds = var.changed ? 600 : 900
  }

  logging_configuration {
    level                  = var.changed ? "OFF" : "ERROR"
    include_execution_data = false
    log_destination        = "${aws_cloudwatch_log_group.workflow.arn}:*"
  }

  tracing_configuration {
    enabled = var.changed
  }

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_sfn_alias" "shifting" {
  name        = "shifting"
  description = var.changed ? "Second" : "First"

  routing_configuration {
    state_machine_version_arn = aws_sfn_state_machine.settings.state_machine_version_arn
    weight                    = 100
  }
}

resource "aws_sfn_activity" "encrypted" {
  name = "encrypted"

  encryption_configuration {
    kms_key_id                        = aws_kms_key.workflow.arn
    type                              = "CUSTOMER_MANAGED_KMS_KEY"
    kms_data_key_reuse_period_seconds = 900
  }

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}
