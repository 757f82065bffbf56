// Style sheets are imported for the bundler, which gathers them into one file.
declare module '*.css';
