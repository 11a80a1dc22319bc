// An input of files. It is emptied after each choice: browsers report no change if the same file is chosen again.
import type { JSX } from 'preact';

type Props = Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'type' | 'onChange'> & {
  onFiles: (files: FileList) => unknown; // may read the list before its first await only
};

export const FileInput = ({ onFiles, ...rest }: Props) => (
  <input
    type="file"
    {...rest}
    onChange={({ currentTarget }) => {
      if (currentTarget.files?.length) void onFiles(currentTarget.files);
      currentTarget.value = '';
    }}
  />
);
