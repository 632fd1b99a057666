variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_kms_key" "scheduler" {
  description             = "scheduler"
  deletion_window_in_days = 7
}

resource "aws_scheduler_schedule_group" "prefixed" {
  name_prefix = "prefixed-"

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_scheduler_schedule" "once" {
  name_prefix         = "once-"
  schedule_expression = var.changed ? "at(2038-01-01T00:00:00)" : "at(2037-01-01T00:00:00)"
  state               = var.changed ? "ENABLED" : "DISABLED"
  kms_key_arn         = aws_kms_key.scheduler.arn

  flexible_time_window {
    mode = "OFF"
  }

  target {
    arn      = "arn:aws:scheduler:::aws-sdk:sqs:sendMessage"
    role_arn = aws_iam_role.scheduler.arn

    input = jsonencode({
      MessageBody = "Greetings"
      QueueUrl    = aws_sqs_queue.work.url
    })
  }
}

resource "aws_scheduler_schedule" "each" {
  for_each = {
    bus    = "arn:aws:events:eu-central-1:123456789012:event-bus/default"
    fifo   = aws_sqs_queue.ordered.arn
    model  = "arn:aws:sagemaker:eu-central-1:123456789012:pipeline/orders"
    stream = "arn:aws:kinesis:eu-central-1:123456789012:stream/orders"
    task   = "arn:aws:ecs:eu-central-1:123456789012:cluster/orders"
  }

  name                = "to-${each.key}"
  description         = var.changed ? "Second" : null
  group_name          = aws_scheduler_schedule_group.orders.name
  schedule_expression = "rate(1 hour)"
  start_date          = "2036-01-01T00:00:00Z"
  end_date            = var.changed ? null : "2037-01-01T00:00:00Z"

  flexible_time_window {
    mode = "OFF"
  }

  target {
    arn      = each.value
    role_arn = aws_iam_role.scheduler.arn

    dynamic "eventbridge_parameters" {
      for_each = each.key == "bus" ? [1] : []
      content {
        detail_type = var.changed ? "second" : "first"
        source      = "shop"
      }
    }

    dynamic "sqs_parameters" {
      for_each = each.key == "fifo" ? [1] : []
      content {
        message_group_id = var.changed ? "second" : "first"
      }
    }

    dynamic "sagemaker_pipeline_parameters" {
      for_each = each.key == "model" ? [1] : []
      content {
        pipeline_parameter {
          name  = "size"
          value = var.changed ? "2" : "1"
        }
      }
    }

    dynamic "kinesis_parameters" {
      for_each = each.key == "stream" ? [1] : []
      content {
        partition_key = var.changed ? "second" : "first"
      }
    }

    dynamic "ecs_parameters" {
      for_each = each.key == "task" ? [1] : []
      content {
        task_definition_arn     = "arn:aws:ecs:eu-central-1:123456789012:task-definition/orders:1"
        launch_type             = "FARGATE"
        task_count              = var.changed ? 2 : 1
        enable_ecs_managed_tags = true
        enable_execute_command  = false
        group                   = "orders"
        platform_version        = "LATEST"
        propagate_tags          = "TASK_DEFINITION"
        reference_id            = "reference"

        network_configuration {
          assign_public_ip = true
          security_groups  = ["sg-0123456789abcdef0"]
          subnets          = ["subnet-0123456789abcdef0"]
        }

        tags = {
          Team = "orders"
        }
      }
    }
  }
}

resource "aws_sqs_queue" "ordered" {
  name       = "scheduler-work.fifo"
  fifo_queue = true
}
