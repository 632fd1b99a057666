resource "aws_sqs_queue" "work" {
  name = "scheduler-work"
}

resource "aws_sqs_queue" "dead" {
  name = "scheduler-dead"
}

resource "aws_iam_role" "scheduler" {
  name = "scheduler"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "scheduler.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "scheduler" {
  role = aws_iam_role.scheduler.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "sqs:SendMessage"
      Resource = [aws_sqs_queue.work.arn, aws_sqs_queue.dead.arn]
    }]
  })
}

resource "aws_scheduler_schedule_group" "orders" {
  name = "orders"

  tags = {
    Team = "orders"
  }
}

resource "aws_scheduler_schedule" "report" {
  name                         = "report"
  group_name                   = aws_scheduler_schedule_group.orders.name
  description                  = "a report every morning"
  schedule_expression          = "cron(0 8 * * ? *)"
  schedule_expression_timezone = "Europe/Berlin"

  flexible_time_window {
    mode                      = "FLEXIBLE"
    maximum_window_in_minutes = 15
  }

  target {
    arn      = aws_sqs_queue.work.arn
    role_arn = aws_iam_role.scheduler.arn
    input    = jsonencode({ report = "daily" })

    dead_letter_config {
      arn = aws_sqs_queue.dead.arn
    }

    retry_policy {
      maximum_event_age_in_seconds = 3600
      maximum_retry_attempts       = 3
    }
  }
}
