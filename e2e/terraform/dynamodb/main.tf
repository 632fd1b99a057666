terraform {
  required_providers {
    aws = {
      source                = "hashicorp/aws"
      configuration_aliases = [aws.other]
    }
  }
}

resource "aws_dynamodb_table" "orders" {
  name                        = "orders"
  billing_mode                = "PROVISIONED"
  read_capacity               = 5
  write_capacity              = 6
  hash_key                    = "customer"
  range_key                   = "number"
  stream_enabled              = true
  stream_view_type            = "NEW_AND_OLD_IMAGES"
  deletion_protection_enabled = false

  attribute {
    name = "customer"
    type = "S"
  }
  attribute {
    name = "number"
    type = "N"
  }
  attribute {
    name = "state"
    type = "S"
  }
  attribute {
    name = "placed"
    type = "S"
  }

  local_secondary_index {
    name               = "by-date"
    range_key          = "placed"
    projection_type    = "INCLUDE"
    non_key_attributes = ["total"]
  }

  global_secondary_index {
    name            = "by-state"
    hash_key        = "state"
    range_key       = "placed"
    projection_type = "KEYS_ONLY"
    read_capacity   = 2
    write_capacity  = 3
  }

  ttl {
    attribute_name = "expires"
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }

  tags = {
    Team = "orders + invoices"
  }
}

resource "aws_dynamodb_table" "sessions" {
  name         = "sessions"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"

  attribute {
    name = "id"
    type = "S"
  }
}

resource "aws_dynamodb_table_item" "first" {
  table_name = aws_dynamodb_table.sessions.name
  hash_key   = aws_dynamodb_table.sessions.hash_key
  item = jsonencode({
    id    = { S = "first" }
    count = { N = "1" }
  })
}
