// Links as earlier versions wrote them. They are never changed: whoever keeps one can still open it. New ones are added when the format grows.
export const OLD_LINKS = [
  {
    what: 'a sample with a machine, filters, a view and a selection',
    hash: '#eyJzb3VyY2UiOnsic2FtcGxlIjoicmVzbmV0LTUwIn0sInNldHRpbmdzIjp7Im1hY2hpbmUiOiJoMTAwLXN4bSIsIm1lbV90aHJlc2giOjQ1fSwidmlldyI6eyJ0YWIiOiJiYXJzIiwic3RhdHVzZXMiOlsibWVtb3J5LWJvdW5kIiwibm9ybWFsIiwibWVtb3J5LWluZWZmaWNpZW50Il0sInNlYXJjaCI6ImNvbnYiLCJzb3J0IjoidGltZSIsImFzY2VuZGluZyI6dHJ1ZSwiem9vbSI6eyJ4MCI6LTEsIngxIjozLCJ5MCI6OSwieTEiOjE0fX0sInNlbGVjdGVkIjozfQ',
    says: ['NVIDIA H100', 'ResNet-50'],
  },
  {
    what: 'an operator in three formats, its sweep',
    hash: '#eyJzb3VyY2UiOnsiYnVpbHQiOiJvcGVyYXRvciIsInJlcXVlc3QiOnsidHlwZSI6ImdlbW0iLCJwYXJhbWV0ZXJzIjp7Im0iOjEsIm4iOjQwOTYsImsiOjQwOTZ9LCJmb3JtYXRzIjpbImZwMTYiLCJpbnQ4IiwiaW50NDpmcDE2Il19fSwic2V0dGluZ3MiOnsibWFjaGluZSI6ImExMDAtODBnYi1zeG0ifSwidmlldyI6eyJ0YWIiOiJzd2VlcCIsInN3ZWVwIjp7IngiOnsia2V5cyI6WyJtIl0sImZyb20iOjEsInRvIjo0MDk2fX19fQ',
    says: ['FP16', 'INT8', 'A100'],
  },
  {
    what: 'a language model with a what-if',
    hash: '#eyJzb3VyY2UiOnsiYnVpbHQiOiJtb2RlbCIsInJlcXVlc3QiOnsibW9kZWwiOiJsbGFtYS0zLThiIiwicGhhc2UiOiJkZWNvZGUiLCJiYXRjaCI6OCwiY29udGV4dCI6NDA5Nn19LCJzZXR0aW5ncyI6eyJtYWNoaW5lIjoiYTEwMC04MGdiLXN4bSIsIndoYXRpZiI6eyJ3ZWlnaHQiOiJpbnQ0In19LCJ2aWV3Ijp7InRhYiI6ImluZmVyZW5jZSJ9fQ',
    says: ['Llama 3 8B'],
  },
  {
    what: 'an input in the link, compared with a sample',
    hash: '#eyJzb3VyY2UiOnsiZmlsZSI6InR3by5qc29uIiwidGV4dCI6Ilt7XCJ0eXBlXCI6IFwiSURfTU1cIiwgXCJuYW1lXCI6IFwicHJvalwiLCBcImRhdGFfdHlwZVwiOiBcIkZQMTZcIiwgXCJpbnB1dF9tYXQxXCI6IFsxLCAxLCAxLCA1MTIsIDEwMjRdLCBcImlucHV0X21hdDJcIjogWzEsIDEsIDEsIDEwMjQsIDUxMl0sIFwidGltZV9uc1wiOiAzMjAwMDB9XSJ9LCJiZWZvcmUiOnsic2FtcGxlIjoicmVzbmV0LTUwIn0sInZpZXciOnsidGFiIjoiY29tcGFyZSIsImNvbXBhcmVTb3J0IjoibmFtZSJ9fQ',
    says: ['two.json', 'proj'],
  },
  {
    what: "a profile's program level, all memories",
    hash: '#eyJzb3VyY2UiOnsic2FtcGxlIjoidHJhaW5pbmctcHJvZmlsZSJ9LCJ2aWV3Ijp7ImxldmVsIjoicHJvZ3JhbSIsIm1lbW9yeSI6ImFsbCIsInJhdGVVbml0IjoiVCIsIm5vSW5mZWVkIjp0cnVlLCJ0b3AiOjMwMH19',
    says: ['Training profile', 'TFLOP/s'],
  },
];
