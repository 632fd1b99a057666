resource "aws_sqs_queue" "piped" {
  name = "pipes-target"
}

resource "aws_sqs_queue" "ordered" {
  name                        = "pipes-target.fifo"
  fifo_queue                  = true
  content_based_deduplication = true
}

resource "aws_cloudwatch_log_group" "pipes" {
  name = "/aws/vendedlogs/pipes/stream"
}

resource "aws_kinesis_stream" "piped" {
  name        = "pipes"
  shard_count = 1
}

resource "aws_dynamodb_table" "piped" {
  name             = "pipes"
  billing_mode     = "PAY_PER_REQUEST"
  hash_key         = "id"
  stream_enabled   = true
  stream_view_type = "NEW_IMAGE"

  attribute {
    name = "id"
    type = "S"
  }
}

resource "aws_iam_role" "pipes" {
  name = "pipes"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "pipes.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "pipes" {
  role = aws_iam_role.pipes.id

  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }]
  })
}

resource "aws_pipes_pipe" "stream" {
  name          = "stream"
  description   = var.changed ? "Second" : "First"
  desired_state = var.changed ? "STOPPED" : "RUNNING"
  role_arn      = aws_iam_role.pipes.arn
  source        = aws_kinesis_stream.piped.arn
  target        = aws_sqs_queue.piped.arn
  depends_on    = [aws_iam_role_policy.pipes]

  source_parameters {
    kinesis_stream_parameters {
      batch_size                         = var.changed ? 10 : 5
      starting_position                  = "AT_TIMESTAMP"
      starting_position_timestamp        = "2025-01-01T00:00:00Z"
      maximum_batching_window_in_seconds = 5
      maximum_record_age_in_seconds      = -1
      maximum_retry_attempts             = 3
      parallelization_factor             = 1
      on_partial_batch_item_failure      = "AUTOMATIC_BISECT"

      dead_letter_config {
        arn = aws_sqs_queue.piped.arn
      }
    }
  }

  target_parameters {
    input_template = "{\"id\": <$.sequenceNumber>}"
  }

  log_configuration {
    level                  = var.changed ? "TRACE" : "INFO"
    include_execution_data = ["ALL"]

    cloudwatch_logs_log_destination {
      log_group_arn = aws_cloudwatch_log_group.pipes.arn
    }
  }

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_pipes_pipe" "table" {
  name_prefix        = "table-"
  role_arn           = aws_iam_role.pipes.arn
  source             = aws_dynamodb_table.piped.stream_arn
  target             = aws_sqs_queue.ordered.arn
  kms_key_identifier = aws_kms_key.workflow.arn
  depends_on         = [aws_iam_role_policy.pipes]

  source_parameters {
    dynamodb_stream_parameters {
      starting_position = "LATEST"
      batch_size        = var.changed ? 2 : 1
    }

    filter_criteria {
      filter {
        pattern = jsonencode({ eventName = ["INSERT"] })
      }

      dynamic "filter" {
        for_each = var.changed ? [1] : []
        content {
          pattern = jsonencode({ eventName = ["MODIFY"] })
        }
      }
    }
  }

  target_parameters {
    sqs_queue_parameters {
      message_group_id         = var.changed ? "second" : "first"
      message_deduplication_id = "id"
    }
  }
}

resource "aws_pipes_pipe" "each" {
  for_each = {
    bus    = "arn:aws:events:eu-central-1:123456789012:event-bus/default"
    logs   = aws_cloudwatch_log_group.pipes.arn
    stream = aws_kinesis_stream.piped.arn
  }

  name          = "to-${each.key}"
  role_arn      = aws_iam_role.pipes.arn
  source        = aws_sqs_queue.piped.arn
  target        = each.value
  desired_state = "STOPPED"
  depends_on    = [aws_iam_role_policy.pipes]

  target_parameters {
    dynamic "eventbridge_event_bus_parameters" {
      for_each = each.key == "bus" ? [1] : []
      content {
        detail_type = var.changed ? "second" : "first"
        source      = "shop.orders"
      }
    }

    dynamic "cloudwatch_logs_parameters" {
      for_each = each.key == "logs" ? [1] : []
      content {
        log_stream_name = var.changed ? "second" : "first"
      }
    }

    dynamic "kinesis_stream_parameters" {
      for_each = each.key == "stream" ? [1] : []
      content {
        partition_key = var.changed ? "second" : "first"
      }
    }
  }
}
