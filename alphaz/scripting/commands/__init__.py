"""All commands of the script language, each declared once; `catalogue` lists them."""
