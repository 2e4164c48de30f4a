"""What results say: pure, numbers in and numbers out."""
